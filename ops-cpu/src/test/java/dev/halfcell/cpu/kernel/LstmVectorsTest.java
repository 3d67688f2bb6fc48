package dev.halfcell.cpu.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.TensorSpec;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Bit by bit against {@link LstmGates} over arrays. */
final class LstmVectorsTest {
  private static final int HIDDEN = 48;
  private static final float[] SPECIAL = {
    0, -0f, 30, -30, 800, -800, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, Float.NaN
  };

  private final Arena arena = Arena.ofConfined();
  private final Random random = new Random(4);

  @AfterEach
  void close() {
    arena.close();
  }

  private Operand operand(int count) {
    Operand operand = Operand.rowMajor(TensorSpec.of(DType.FP32, count));
    MemorySegment memory = arena.allocate(operand.spec().bytes(), 4);
    for (int i = 0; i < count; i++) {
      float special = SPECIAL[random.nextInt(SPECIAL.length)];
      Elements.set(memory, DType.FP32, i, i % 7 == 3 ? special : 2 * random.nextGaussian());
    }
    operand.region().place(memory);
    return operand;
  }

  private static Gates gates(Operand from) {
    Gates gates = new Gates(4, HIDDEN);
    gates.load(from, 0);
    return gates;
  }

  private static float[] values(Operand operand) {
    float[] values = new float[operand.spec().dim(0)];
    Transfers.read(operand.address(0, values.length), values, values.length);
    return values;
  }

  private static long at(Operand operand) {
    return operand.address(0, operand.spec().dim(0));
  }

  @Test
  void aStepGivesTheBitsOfTheLoopsOverArrays() {
    Operand projected = operand(4 * HIDDEN);
    Operand product = operand(4 * HIDDEN);
    Gates biasX = gates(operand(4 * HIDDEN));
    Gates biasH = gates(operand(4 * HIDDEN));
    Operand before = operand(HIDDEN);
    Operand saved = operand(4 * HIDDEN);
    Operand after = operand(HIDDEN);
    float[] h = new float[HIDDEN];
    LstmVectors vectors = new LstmVectors(HIDDEN);
    vectors.gates(at(projected), biasX, at(product), biasH, at(saved));
    vectors.states(at(saved), at(before), at(after), h);

    Gates a = gates(projected);
    a.add(biasX);
    Gates q = gates(product);
    q.add(biasH);
    float[] c = values(before);
    float[] expected = new float[HIDDEN];
    Gates gates = new Gates(4, HIDDEN);
    new LstmGates(HIDDEN, new ActivationArrays())
        .forward(a.values, q.values, expected, c, gates.values);
    Operand stored = operand(4 * HIDDEN);
    gates.store(stored, 0);
    assertArrayEquals(values(stored), values(saved));
    assertArrayEquals(c, values(after));
    assertArrayEquals(expected, h);
  }

  private static float[] sum(float[] a, float[] b) {
    float[] sum = new float[a.length];
    for (int i = 0; i < sum.length; i++) {
      sum[i] = a[i] + b[i];
    }
    return sum;
  }

  @Test
  void aStepBackGivesTheBitsOfTheLoopsOverArrays() {
    Operand saved = operand(4 * HIDDEN);
    Operand after = operand(HIDDEN);
    float[] before = values(operand(HIDDEN));
    float[] dy = values(operand(HIDDEN));
    Operand dh = operand(HIDDEN);
    Operand dc = operand(HIDDEN);
    float[] slope = sum(values(dh), dy);
    float[] cell = values(dc);
    Gates da = new Gates(4, HIDDEN);
    float[] h = new float[HIDDEN];
    new LstmVectors(HIDDEN)
        .back(
            new LstmVectors.Saved(at(saved), at(after)), before, dy, at(dh), at(dc), da.values, h);

    Gates expected = new Gates(4, HIDDEN);
    float[] output = new float[HIDDEN];
    GateMath.Made made = new GateMath.Made(gates(saved).values, values(after), before);
    new LstmGates(HIDDEN, new ActivationArrays())
        .backward(made, slope, cell, expected.values, expected.values, output);
    assertArrayEquals(expected.values, da.values);
    assertArrayEquals(output, h);
    assertArrayEquals(cell, values(dc));
    assertArrayEquals(slope, values(dh));
  }

  @Test
  void theySuitWholeVectorsOfUnits() {
    assertTrue(LstmVectors.suit(HIDDEN));
    assertEquals(false, LstmVectors.suit(HIDDEN + 1));
  }
}
