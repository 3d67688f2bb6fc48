package dev.halfcell.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Ops;
import dev.halfcell.op.random.Dropout;
import dev.halfcell.op.random.RandomKey;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.util.Arrays;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What random ops hold on every backend: the same key and sample numbers give the same bits again,
 * however a batch is split, and others give others; the share that is dropped is the one asked for.
 */
public abstract class RandomContract extends OnBackend {
  private static final RandomKey KEY = new RandomKey(7, OpCase.PATH, 0);
  private static final int EACH = 37;

  @ParameterizedTest
  @EnumSource(names = {"FP32", "FP16", "BF16"})
  final void aBatchThatIsSplitDrawsTheSame(DType dtype) {
    double[] whole = mask(dtype, 0.3, KEY, 100, 8);
    double[] first = mask(dtype, 0.3, KEY, 100, 3);
    double[] second = mask(dtype, 0.3, KEY, 103, 5);
    assertArrayEquals(
        whole, DoubleStream.concat(Arrays.stream(first), Arrays.stream(second)).toArray());
  }

  @ParameterizedTest
  @EnumSource(names = {"FP32", "FP16", "BF16"})
  final void whatIsDrawnFollowsFromTheKeyAlone(DType dtype) {
    double[] drawn = mask(dtype, 0.5, KEY, 0, 8);
    assertArrayEquals(drawn, mask(dtype, 0.5, KEY, 0, 8));
    assertArrayEquals(drawn, mask(DType.FP32, 0.5, KEY, 0, 8));
    CellPath other = new CellPath("/other");
    assertFalse(Arrays.equals(drawn, mask(dtype, 0.5, new RandomKey(8, OpCase.PATH, 0), 0, 8)));
    assertFalse(Arrays.equals(drawn, mask(dtype, 0.5, new RandomKey(7, other, 0), 0, 8)));
    assertFalse(Arrays.equals(drawn, mask(dtype, 0.5, new RandomKey(7, OpCase.PATH, 1), 0, 8)));
    assertFalse(Arrays.equals(drawn, mask(dtype, 0.5, KEY, 8, 8)));
  }

  /** Four standard deviations of the share of so many independent draws. */
  @ParameterizedTest
  @ValueSource(doubles = {0, 0.01, 0.1, 0.5, 0.9})
  final void theShareDroppedIsTheRate(double rate) {
    double[] drawn = mask(DType.FP32, rate, KEY, 0, 4000);
    double dropped = (double) Arrays.stream(drawn).filter(y -> y == 0).count() / drawn.length;
    assertEquals(rate, dropped, 4 * Math.sqrt(rate * (1 - rate) / drawn.length));
    double kept = Arrays.stream(drawn).max().orElseThrow();
    assertEquals(1 / (1 - rate), kept, 1e-6 * kept);
  }

  /** No place and no sample is dropped more often than others. */
  @Test
  final void everyPlaceIsDroppedAsOften() {
    int samples = 10_000;
    double[] drawn = mask(DType.FP32, 0.5, KEY, 0, samples);
    for (int place = 0; place < EACH; place++) {
      int at = place;
      long dropped = IntStream.range(0, samples).filter(n -> drawn[n * EACH + at] == 0).count();
      assertEquals(0.5, (double) dropped / samples, 5 * 0.5 / Math.sqrt(samples), "place " + at);
    }
  }

  /** Dropout of ones: what is kept, scaled. */
  private double[] mask(DType dtype, double rate, RandomKey key, int firstSample, int batch) {
    try (TensorScope scope = TensorScope.open()) {
      double[] ones = new double[batch * EACH];
      Arrays.fill(ones, 1);
      Tensor x = Tensor.of(scope, new TensorSpec(dtype, Shape.of(batch, EACH)), ones);
      double[] numbers = IntStream.range(0, batch).mapToDouble(n -> firstSample + n).toArray();
      Tensor samples = Tensor.of(scope, TensorSpec.of(DType.INT64, batch), numbers);
      return new Ops(backend().eager(scope), OpCase.PATH)
          .run(new Dropout(rate, key), x, samples)
          .toArray();
    }
  }
}
