package dev.halfcell.amp.precision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.nn.BatchNorm1d;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.normalization.BatchNorm;
import dev.halfcell.op.random.RandomKey;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Batch statistics in two passes in a whole network. */
class StableStatisticsTest {
  private static final int ROWS = 64;
  private static final int CHANNELS = 256;
  private static final double MEAN = 1e4;

  /** The mean is {@link #MEAN}, the variance 1. */
  private static Tensor data(TensorScope scope) {
    long noise = new RandomKey(3, CellPath.ROOT, 0).stream();
    double[] x = new double[ROWS * CHANNELS];
    for (int i = 0; i < x.length; i++) {
      x[i] = MEAN + Math.sqrt(12) * (RandomKey.uniform(noise, i, 0) - 0.5);
    }
    return Tensor.of(scope, TensorSpec.of(DType.FP32, ROWS, CHANNELS), x);
  }

  /** What a batch normalisation of the network at the root gives as variances. */
  private static double[] variances(Tensor x, TensorScope scope, PrecisionOptions options) {
    PrecisionPlan plan = PrecisionPlan.of(new BatchNorm1d(CHANNELS), Level.O2, options);
    Tensor zeros = scope.allocate(TensorSpec.of(DType.FP32, CHANNELS));
    return plan.over(new ReferenceBackend().eager(scope))
        .execute(new BatchNorm(1e-5), List.of(x, zeros, zeros), CellPath.ROOT)
        .get(2)
        .toArray();
  }

  /** In decimal numbers without rounding; only the quotient is rounded, to 34 places. */
  private static float exact(Tensor x, int channel) {
    BigDecimal n = BigDecimal.valueOf(ROWS);
    BigDecimal sum = BigDecimal.ZERO;
    BigDecimal squares = BigDecimal.ZERO;
    for (int row = 0; row < ROWS; row++) {
      BigDecimal value = new BigDecimal(x.at(row * CHANNELS + channel));
      sum = sum.add(value);
      squares = squares.add(value.multiply(value));
    }
    return n.multiply(squares)
        .subtract(sum.multiply(sum))
        .divide(n.multiply(n), MathContext.DECIMAL128)
        .floatValue();
  }

  /** FP32 rounds away what is lost in one pass in double, but where it lies between two numbers. */
  @Test
  void variancesOfALargeMeanAreExactAndInOnePassWithinAPlace() {
    try (TensorScope scope = TensorScope.open()) {
      Tensor x = data(scope);
      double[] stable = variances(x, scope, PrecisionOptions.defaults().stableStatistics(true));
      double[] usual = variances(x, scope, PrecisionOptions.defaults());
      for (int c = 0; c < CHANNELS; c++) {
        assertEquals(exact(x, c), stable[c], "channel " + c);
        assertEquals(exact(x, c), usual[c], Math.ulp(exact(x, c)), "channel " + c);
      }
      assertTrue(IntStream.range(0, CHANNELS).anyMatch(c -> usual[c] != exact(x, c)));
    }
  }
}
