package dev.halfcell.cpu.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What moves parameters, sums squares and casts where floats lie gives the bits of the loops. */
final class RuleVectorsTest {
  private static final int MOST = 1000;

  private final Arena arena = Arena.ofConfined();
  private final Random random = new Random(3);

  @AfterEach
  void close() {
    arena.close();
  }

  static Stream<RuleLoop> rules() {
    return Stream.of(
        new RuleLoop.Sgd(0.1f, 0.003f),
        new RuleLoop.Momentum(0.1f, 0.9f, false, 0.003f, 0),
        new RuleLoop.Momentum(0.1f, 0.9f, false, 0, 0.01f),
        new RuleLoop.Momentum(0.1f, 0.9f, true, 0.003f, 0),
        new RuleLoop.Momentum(0.1f, 0.9f, true, 0, 0.01f));
  }

  private float[] floats(int count) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = (float) random.nextGaussian();
    }
    for (float rare : new float[] {Float.NaN, Float.POSITIVE_INFINITY, -0f, Float.MIN_VALUE}) {
      values[random.nextInt(count)] = rare;
    }
    return values;
  }

  private MemorySegment memory(float[] values) {
    return arena.allocateFrom(ValueLayout.JAVA_FLOAT, values);
  }

  private static float[] of(MemorySegment memory) {
    return memory.toArray(ValueLayout.JAVA_FLOAT);
  }

  @ParameterizedTest
  @MethodSource("rules")
  void parametersAndVelocitiesMoveAlike(RuleLoop rule) {
    for (int count : List.of(1, 15, 16, 17, 64, MOST)) {
      float[] w = floats(count);
      float[] v = floats(count);
      float[] gradient = floats(count);
      MemorySegment parameter = memory(w);
      MemorySegment velocity = memory(v);
      long slope = memory(gradient).address();
      float factor = 1f / 1024;
      float[] unscaled = new float[count];
      for (int i = 0; i < count; i++) {
        unscaled[i] = gradient[i] * factor;
      }
      switch (rule) {
        case RuleLoop.Sgd sgd -> {
          RuleVectors.run(sgd, parameter.address(), slope, factor, count);
          rule.run(new float[][] {w, unscaled}, new float[][] {w}, count);
        }
        case RuleLoop.Momentum momentum -> {
          RuleVectors.run(momentum, parameter.address(), velocity.address(), slope, factor, count);
          rule.run(new float[][] {w, v, unscaled}, new float[][] {w, v}, count);
        }
        default -> throw new AssertionError(rule);
      }
      assertArrayEquals(w, of(parameter), count + " parameters of " + rule);
      assertArrayEquals(v, of(velocity), count + " velocities of " + rule);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 8, 255, 256, 257, MOST})
  void squaresFallIntoTheSameLanes(int count) {
    float[] values = floats(count + 4);
    for (int i = 0; i < values.length; i++) {
      values[i] = Float.isFinite(values[i]) ? values[i] : 1;
    }
    float[] scaled = Arrays.copyOf(values, count);
    for (int i = 0; i < count; i++) {
      scaled[i] *= 0.25f;
    }
    double[] lanes = new double[MOST];
    double[] expected = new double[MOST];
    SquareVectors.add(memory(values).address(), 0.25f, lanes, count);
    for (int i = 0; i < count; i++) {
      expected[i] = (double) scaled[i] * scaled[i];
    }
    assertArrayEquals(expected, lanes);
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 15, 16, 17, MOST})
  void castsRoundAsStoresDo(int count) {
    float[] values = floats(count);
    MemorySegment narrow = arena.allocate(2L * count);
    MemorySegment stored = arena.allocate(2L * count);
    Bf16Casts.narrow(memory(values).address(), narrow.address(), count);
    new Bf16Arrays(count).store(values, stored.address(), count);
    assertEquals(-1, stored.mismatch(narrow), "first byte that differs");
    MemorySegment wide = arena.allocate(4L * count, 4);
    float[] loaded = new float[count];
    Bf16Casts.widen(narrow.address(), wide.address(), count);
    new Bf16Arrays(count).load(narrow.address(), loaded, count);
    assertArrayEquals(loaded, of(wide));
  }
}
