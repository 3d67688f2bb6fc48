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
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Each loop in vectors gives the bits of its formula, element by element. */
final class ChannelVectorsTest {
  private static final int COUNT = 4 * ChannelVectors.length();
  private static final List<DType> FLOATING = List.of(DType.FP32, DType.FP16, DType.BF16);

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
      Elements.set(memory, dtype, i, random.nextInt(7) == 3 ? 0 : random.nextGaussian());
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
    return ChannelVectors.of(List.of(operands), new float[COUNT]).orElseThrow();
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
  @EnumSource(names = {"FP32", "FP16", "BF16"})
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
  @EnumSource(names = {"FP32", "FP16", "BF16"})
  void whatIsAddedIsAddedBeforeTheLeast(DType dtype) {
    Operand x = operand(dtype);
    Operand y = operand(dtype);
    Operand z = operand(dtype);
    float[] of = values(x);
    float[] added = values(z);
    loops(x, y, z).mapAdded(at(x), at(z), at(y), numbers, 0, COUNT);
    assertHolds(i -> Math.max(scaled(of[i], i) + added[i], 0), y);
  }

  private static ChannelGradients gradients(Operand d, Operand x, Operand above, Operand... y) {
    MaskedGradient masked = new MaskedGradient(d, Optional.of(above));
    return ChannelGradients.of(masked, x, Stream.of(y).findFirst()).orElseThrow();
  }

  @ParameterizedTest
  @CsvSource({"FP32, FP32", "BF16, BF16", "FP32, BF16", "FP32, FP16"})
  void gradientsCountWhereTheMaskIsAbove0(DType slope, DType kept) {
    Operand d = operand(slope);
    Operand x = operand(kept);
    Operand above = operand(kept);
    Operand y = operand(slope);
    float[] of = values(x);
    float[] slopes = values(d);
    float[] mask = values(above);
    gradients(d, x, above, y).mapGradient(at(d), at(x), at(y), numbers, COUNT);
    assertHolds(i -> scaled(of[i], i) + numbers.a()[i] * slopes[i], y);
    gradients(d, x, above, y).mapMasked(at(d), at(above), at(x), at(y), numbers, COUNT);
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

  /** As many places as elements, half as many, and one vector's. */
  private static IntStream widths() {
    return IntStream.of(COUNT, COUNT / 2, ChannelVectors.length());
  }

  @ParameterizedTest
  @EnumSource(names = {"FP32", "FP16", "BF16"})
  void sumsAreAddedToInDouble(DType dtype) {
    widths().forEach(width -> assertSums(dtype, width));
  }

  private void assertSums(DType dtype, int width) {
    Operand x = operand(dtype);
    float[] of = values(x);
    Totals to = totals();
    double[] first = to.first().clone();
    double[] second = to.second().clone();
    loops(x).sums(at(x), to, COUNT, width);
    for (int i = 0; i < COUNT; i++) {
      int at = i % width;
      double away = of[i] - to.center()[at];
      first[at] += away;
      second[at] += away * away;
    }
    assertArrayEquals(first, to.first());
    assertArrayEquals(second, to.second());
  }

  @ParameterizedTest
  @CsvSource({"FP32, FP32", "BF16, BF16", "FP32, BF16", "FP32, FP16"})
  void sumsOfGradientsAreAddedToInDouble(DType slope, DType kept) {
    widths().forEach(width -> assertGradientSums(slope, kept, width));
  }

  private void assertGradientSums(DType slope, DType kept, int width) {
    Operand d = operand(slope);
    Operand x = operand(kept);
    Operand above = operand(kept);
    float[] of = values(x);
    float[] slopes = values(d);
    float[] mask = values(above);
    Totals to = totals();
    double[] first = to.first().clone();
    double[] second = to.second().clone();
    gradients(d, x, above).sumsGradient(at(d), at(x), to, COUNT, width);
    for (int i = 0; i < COUNT; i++) {
      first[i % width] += slopes[i];
      second[i % width] += slopes[i] * (of[i] - to.center()[i % width]);
    }
    gradients(d, x, above).sumsMasked(at(d), at(above), at(x), to, COUNT, width);
    for (int i = 0; i < COUNT; i++) {
      double counted = mask[i] > 0 ? slopes[i] : 0;
      first[i % width] += counted;
      second[i % width] += counted * (of[i] - to.center()[i % width]);
    }
    assertArrayEquals(first, to.first());
    assertArrayEquals(second, to.second());
  }

  @ParameterizedTest
  @EnumSource(names = {"FP32", "FP16", "BF16"})
  void theyAreThereForOneDtype(DType dtype) {
    Operand x = operand(dtype);
    assertTrue(ChannelVectors.of(List.of(x, x), new float[COUNT]).isPresent());
    Operand other = operand(dtype == DType.FP32 ? DType.BF16 : DType.FP32);
    assertTrue(ChannelVectors.of(List.of(x, other), new float[COUNT]).isEmpty());
  }

  @Test
  void gradientsAreOfTheDtypeOfXOrInFp32() {
    for (DType slope : FLOATING) {
      for (DType kept : FLOATING) {
        for (DType mask : FLOATING) {
          for (DType result : FLOATING) {
            MaskedGradient d = new MaskedGradient(operand(slope), Optional.of(operand(mask)));
            boolean known = slope == DType.FP32 || slope == DType.BF16 && kept == DType.BF16;
            assertEquals(
                known && mask == kept && result == slope,
                ChannelGradients.of(d, operand(kept), Optional.of(operand(result))).isPresent(),
                slope + " " + kept + " " + mask + " " + result);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"FP32, FP32", "BF16, BF16", "FP32, BF16", "FP32, FP16"})
  void twoGradientsAreAddedWhereTheMaskIsAbove0(DType slope, DType kept) {
    Operand a = operand(slope);
    Operand b = operand(slope);
    Operand above = operand(kept);
    Operand y = operand(slope);
    float[] first = values(a);
    float[] second = values(b);
    float[] mask = values(above);
    switch (kept) {
      case FP32 -> MaskedSums.floats(at(a), at(b), at(above), at(y), COUNT);
      case FP16 -> MaskedSums.floatsByFp16(at(a), at(b), at(above), at(y), COUNT);
      default -> {
        if (slope == DType.FP32) {
          MaskedSums.floatsByBf16(at(a), at(b), at(above), at(y), COUNT);
        } else {
          MaskedSums.halves(at(a), at(b), at(above), at(y), COUNT);
        }
      }
    }
    assertHolds(i -> mask[i] > 0 ? first[i] + second[i] : 0, y);
  }
}
