package dev.halfcell.op.precision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.random.RandomKey;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.ShapeException;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StochasticCastTest {
  private static final int ADDED = 10_000;

  private static StochasticCast cast(DType to, long seed) {
    return new StochasticCast(to, CastOverflow.INF, new RandomKey(seed, CellPath.ROOT, 0));
  }

  /** 10,000 times 0.0001, the sum rounded after each addition. */
  private static double sum(long seed) {
    StochasticCast half = cast(DType.FP16, seed);
    long stream = half.key().stream();
    double sum = 0;
    for (int i = 0; i < ADDED; i++) {
      sum = half.round(sum + 1e-4, RandomKey.uniform(stream, i, 0));
    }
    return sum;
  }

  @Test
  void tenThousandSmallNumbersAddUpStochasticallyAndNotToNearest() {
    double nearest = 0;
    for (int i = 0; i < ADDED; i++) {
      nearest = DType.FP16.round(nearest + 1e-4);
    }
    assertEquals(0.25, nearest);
    double[] sums = IntStream.range(0, 20).mapToDouble(StochasticCastTest::sum).toArray();
    for (double sum : sums) {
      assertEquals(1, sum, 0.05);
    }
    assertEquals(1, IntStream.range(0, 20).mapToDouble(i -> sums[i]).average().orElseThrow(), 0.01);
  }

  @Test
  void aNumberBetweenTwoGoesToEitherByItsDistance() {
    StochasticCast half = cast(DType.FP16, 1);
    double x = 1 + 0x1p-12; // a quarter of the way to 1 + 2^-10
    assertEquals(1 + 0x1p-10, half.round(x, 0.2499));
    assertEquals(1, half.round(x, 0.25));
    assertEquals(-1 - 0x1p-10, half.round(-x, 0.2499));
    assertEquals(-1, half.round(-x, 0.25));
    double belowTwo = 2 - 0x1p-12; // three quarters of the way across the end of a binade
    assertEquals(2, half.round(belowTwo, 0.7499));
    assertEquals(2 - 0x1p-10, half.round(belowTwo, 0.75));
  }

  @Test
  void theSmallestNumbersAreNotLostInTheMean() {
    StochasticCast half = cast(DType.FP16, 1);
    assertEquals(0x1p-24, half.round(0x1p-27, 0.124));
    assertEquals(0, half.round(0x1p-27, 0.125));
    assertEquals(Double.doubleToRawLongBits(-0.0), bits(half.round(-0x1p-27, 0.5)));
    StochasticCast brain = cast(DType.BF16, 1);
    assertEquals(1 + 0x1p-7, brain.round(1 + 0x1p-8, 0.4999));
    assertEquals(1, brain.round(1 + 0x1p-8, 0.5));
    StochasticCast single = cast(DType.FP32, 1);
    assertEquals(1 + 0x1p-23, single.round(1 + 0x1p-24, 0.4999));
    assertEquals(1, single.round(1 + 0x1p-24, 0.5));
  }

  private static long bits(double x) {
    return Double.doubleToRawLongBits(x);
  }

  @ParameterizedTest
  @EnumSource(names = {"FP16", "BF16", "FP32", "FP64"})
  void whatTheDtypeHoldsStaysAsItIs(DType to) {
    for (double x : new double[] {0, -0.0, 1, -1.5, 0x1p-14, 65504, Double.NEGATIVE_INFINITY}) {
      double exact = to.round(x);
      assertEquals(bits(exact), bits(cast(to, 1).round(exact, 0)), to + " " + x);
    }
    assertTrue(Double.isNaN(cast(to, 1).round(Double.NaN, 0.5)));
  }

  @Test
  void beyondTheLargestNumberItIsRoundedToNearestAndOverflowsAsAsked() {
    assertEquals(65504, DType.FP16.round(cast(DType.FP16, 1).round(65519, 0)));
    assertEquals(Double.POSITIVE_INFINITY, DType.FP16.round(cast(DType.FP16, 1).round(65520, 0)));
    RandomKey key = new RandomKey(1, CellPath.ROOT, 0);
    StochasticCast saturating = new StochasticCast(DType.FP16, CastOverflow.SATURATE, key);
    assertEquals(-65504, saturating.round(-1e9, 0));
    assertTrue(Double.isNaN(new StochasticCast(DType.FP16, CastOverflow.NAN, key).round(1e9, 0)));
  }

  @Test
  void itWantsACounterForEachSampleOrOneForAll() {
    StochasticCast half = cast(DType.FP16, 1);
    TensorSpec x = TensorSpec.of(DType.FP32, 3, 2);
    TensorSpec y = TensorSpec.of(DType.FP16, 3, 2);
    assertEquals(List.of(y), half.infer(List.of(x, TensorSpec.of(DType.INT64)), CellPath.ROOT));
    assertEquals(List.of(y), half.infer(List.of(x, TensorSpec.of(DType.INT64, 3)), CellPath.ROOT));
    assertThrows(
        ShapeException.class,
        () -> half.infer(List.of(x, TensorSpec.of(DType.INT64, 2)), CellPath.ROOT));
    assertThrows(ArgumentException.class, () -> cast(DType.INT32, 1));
    assertThrows(ArgumentException.class, () -> new Cast(DType.INT32, CastOverflow.NAN));
  }
}
