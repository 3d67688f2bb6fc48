package dev.halfcell.cpu.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.cpu.kernel.ChannelVectors.Numbers;
import dev.halfcell.cpu.kernel.ChannelVectors.Totals;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.TensorSpec;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each loop in vectors gives the bits of its formula, element by element. */
final class ChannelVectorsTest {
  private static final int COUNT = 4 * ChannelVectors.length();

  private final Arena arena = Arena.ofConfined();
  private final Random random = new Random(5);
  private final Numbers numbers = new Numbers(floats(), floats(), floats(), floats());

  @AfterEach
  void close() {
    arena.close();
  }

  private float[] floats() {
    float[] values = new float[COUNT];
    for (int i = 0; i < COUNT; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return values;
  }

  private Operand operand(DType dtype) {
    Operand operand = Operand.rowMajor(TensorSpec.of(dtype, COUNT));
    MemorySegment memory = arena.allocate(operand.spec().bytes(), 4);
    for (int i = 0; i < COUNT; i++) {
      Elements.set(memory, dtype, i, i % 7 == 3 ? 0 : random.nextGaussian());
    }
    Elements.set(memory, dtype, 5, Double.NaN);
    operand.region().place(memory);
    return operand;
  }

  private static float[] values(Operand operand) {
    float[] values = new float[COUNT];
    for (int i = 0; i < COUNT; i++) {
      values[i] = (float) Elements.get(operand.region().data(), operand.dtype(), i);
    }
    return values;
  }

  private static long at(Operand operand) {
    return operand.address(0, COUNT);
  }

  private static ChannelVectors loops(Operand... operands) {
    return ChannelVectors.of(List.of(operands)).orElseThrow();
  }

  /** b · (x − m) + c. */
  private float scaled(float x, int i) {
    return numbers.b()[i] * (x - numbers.m()[i]) + numbers.c()[i];
  }

  @FunctionalInterface
  private interface Formula {
    float at(int i);
  }

  private void assertHolds(Formula formula, Operand y) {
    Operand expected = operand(y.dtype());
    for (int i = 0; i < COUNT; i++) {
      Elements.set(expected.region().data(), y.dtype(), i, formula.at(i));
    }
    assertArrayEquals(values(expected), values(y));
  }

  @ParameterizedTest
  @EnumSource(names = {"FP32", "BF16"})
  void elementsAreScaledAndMoved(DType dtype) {
    Operand x = operand(dtype);
    Operand y = operand(dtype);
    float[] of = values(x);
    for (float least : new float[] {0, Float.NEGATIVE_INFINITY}) {
      loops(x, y).map(at(x), at(y), numbers, least, COUNT);
      assertHolds(i -> Math.max(scaled(of[i], i), least), y);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FP32", "BF16"})
  void whatIsAddedIsAddedBeforeTheLeast(DType dtype) {
    Operand x = operand(dtype);
    Operand y = operand(dtype);
    Operand z = operand(dtype);
    float[] of = values(x);
    float[] added = values(z);
    loops(x, y, z).mapAdded(at(x), at(z), at(y), numbers, 0, COUNT);
    assertHolds(i -> Math.max(scaled(of[i], i) + added[i], 0), y);
  }

  @ParameterizedTest
  @EnumSource(names = {"FP32", "BF16"})
  void gradientsCountWhereTheMaskIsAbove0(DType dtype) {
    Operand d = operand(dtype);
    Operand x = operand(dtype);
    Operand above = operand(dtype);
    Operand y = operand(dtype);
    float[] of = values(x);
    float[] slopes = values(d);
    float[] mask = values(above);
    loops(d, x, y).mapGradient(at(d), at(x), at(y), numbers, COUNT);
    assertHolds(i -> scaled(of[i], i) + numbers.a()[i] * slopes[i], y);
    loops(d, x, above, y).mapMasked(at(d), at(above), at(x), at(y), numbers, COUNT);
    assertHolds(i -> scaled(of[i], i) + numbers.a()[i] * (mask[i] > 0 ? slopes[i] : 0), y);
  }

  private Totals totals() {
    double[] center = new double[COUNT];
    double[] first = new double[COUNT];
    double[] second = new double[COUNT];
    for (int i = 0; i < COUNT; i++) {
      center[i] = random.nextGaussian();
      first[i] = random.nextGaussian();
      second[i] = random.nextGaussian();
    }
    return new Totals(center, first, second);
  }

  @ParameterizedTest
  @EnumSource(names = {"FP32", "BF16"})
  void sumsAreAddedToInDouble(DType dtype) {
    Operand d = operand(dtype);
    Operand x = operand(dtype);
    Operand above = operand(dtype);
    float[] of = values(x);
    float[] slopes = values(d);
    float[] mask = values(above);
    Totals to = totals();
    double[] first = to.first().clone();
    double[] second = to.second().clone();
    loops(x).sums(at(x), to, COUNT);
    loops(d, x).sumsGradient(at(d), at(x), to, COUNT);
    loops(d, x, above).sumsMasked(at(d), at(above), at(x), to, COUNT);
    for (int i = 0; i < COUNT; i++) {
      double away = of[i] - to.center()[i];
      double counted = mask[i] > 0 ? slopes[i] : 0;
      first[i] = first[i] + away + slopes[i] + counted;
      second[i] = second[i] + away * away + slopes[i] * away + counted * away;
    }
    assertArrayEquals(first, to.first());
    assertArrayEquals(second, to.second());
  }

  @ParameterizedTest
  @EnumSource(names = {"FP32", "FP16", "BF16"})
  void theyAreThereForOneDtypeThatIsNotFp16(DType dtype) {
    Operand x = operand(dtype);
    assertEquals(dtype != DType.FP16, ChannelVectors.of(List.of(x, x)).isPresent());
    Operand other = operand(dtype == DType.FP32 ? DType.BF16 : DType.FP32);
    assertTrue(ChannelVectors.of(List.of(x, other)).isEmpty());
  }

  @ParameterizedTest
  @EnumSource(names = {"FP32", "BF16"})
  void twoGradientsAreAddedWhereTheMaskIsAbove0(DType dtype) {
    Operand a = operand(dtype);
    Operand b = operand(dtype);
    Operand above = operand(dtype);
    Operand y = operand(dtype);
    float[] first = values(a);
    float[] second = values(b);
    float[] mask = values(above);
    if (dtype == DType.FP32) {
      MaskedSums.floats(at(a), at(b), at(above), at(y), COUNT);
    } else {
      MaskedSums.halves(at(a), at(b), at(above), at(y), COUNT);
    }
    assertHolds(i -> mask[i] > 0 ? first[i] + second[i] : 0, y);
  }
}
