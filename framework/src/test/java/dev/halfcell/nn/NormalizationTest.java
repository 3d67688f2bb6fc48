package dev.halfcell.nn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Ops;
import dev.halfcell.op.normalization.BatchNorm;
import dev.halfcell.op.normalization.BatchNormGradient;
import dev.halfcell.op.normalization.Normalize;
import dev.halfcell.op.normalization.RunningAverage;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.HalfCellException;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.ShapeException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import org.junit.jupiter.api.Test;

/** Normalisation within each sample: worked examples, and what the cells refuse. */
class NormalizationTest {
  @Test
  void layersAreNormalizedOverTrailingAxes() {
    // mean 2.5, variance 1.25
    double unit = 0.5 / Math.sqrt(1.25);
    double[] want = {-3 * unit, -unit, unit, 3 * unit};
    assertNear(want, CellRun.evaluate(new LayerNorm(1e-12, 2, 2), Shape.of(1, 2, 2), 1, 2, 3, 4));
    double[] wantEach = {-1, 1, -1, 1};
    assertNear(wantEach, CellRun.evaluate(new LayerNorm(1e-12, 2), Shape.of(2, 2), 1, 2, 3, 4));
  }

  @Test
  void groupsAreNormalizedForEachSampleAlone() {
    Shape shape = Shape.of(2, 4, 1);
    double[] got = CellRun.evaluate(new GroupNorm(2, 4, 1e-12), shape, 1, 2, 5, 7, 10, 30, 9, 8);
    assertNear(new double[] {-1, 1, -1, 1, -1, 1, 1, -1}, got);
  }

  @Test
  void theRootMeanSquareTakesNoMeanOff() {
    double rms = Math.sqrt(12.5);
    assertNear(
        new double[] {3 / rms, 4 / rms},
        CellRun.evaluate(new RMSNorm(1e-12, 2), Shape.of(1, 2), 3, 4));
  }

  /** 1000 and neighbours: the deviations are a thousandth of the values. */
  @Test
  void aLargeMeanCostsNoDigits() {
    double[] got = CellRun.evaluate(new LayerNorm(1e-12, 2), Shape.of(1, 2), 1000, 1000.5);
    assertNear(new double[] {-1, 1}, got);
  }

  /** Deviations of −1, −1, 0 and 2; after three numbers the mean has a third. */
  @Test
  void stableStatisticsOfALargeMeanAreExact() {
    try (TensorScope scope = TensorScope.open()) {
      Ops ops = new Ops(new ReferenceBackend().eager(scope), CellPath.ROOT);
      Tensor one = Tensor.of(scope, TensorSpec.of(DType.FP64, 1), 1);
      Tensor x = Tensor.of(scope, TensorSpec.of(DType.FP64, 4, 1), 1e8, 1e8, 1e8 + 1, 1e8 + 3);
      BatchNorm usual = new BatchNorm(1e-30);
      assertEquals(1.5, ops.runAll(usual.stableStatistics(), x, one, one).get(2).item());
      double inOnePass = ops.runAll(usual, x, one, one).get(2).item();
      assertTrue(inOnePass != 1.5);
      assertEquals((float) 1.5, (float) inOnePass);
    }
    assertTrue(BatchNormOptions.defaults().stableStatistics().stable());
  }

  @Test
  void whatMakesNoSenseIsRefused() {
    assertThrows(ArgumentException.class, () -> new LayerNorm());
    assertThrows(ArgumentException.class, () -> new LayerNorm(0));
    assertThrows(ArgumentException.class, () -> new LayerNorm(-1e-5, 4));
    assertThrows(ArgumentException.class, () -> new RMSNorm(Double.NaN, 4));
    assertThrows(ArgumentException.class, () -> new GroupNorm(0, 4));
    ArgumentException e = assertThrows(ArgumentException.class, () -> new GroupNorm(3, 4));
    assertEquals("groups that divide the 4 channels", e.problem().expected());
  }

  @Test
  void aShapeThatDoesNotFitIsNamed() {
    HalfCellException e =
        assertThrows(
            ShapeException.class,
            () -> CellRun.evaluate(new LayerNorm(4), Shape.of(2, 3), 1, 2, 3, 4, 5, 6));
    assertEquals("LayerNorm", e.problem().subject());
    assertTrue(e.problem().got().contains("[2, 3]"), e.getMessage());
    assertThrows(
        ShapeException.class, () -> CellRun.evaluate(new GroupNorm(2, 4), Shape.of(1, 2), 1, 2));
  }

  private static void assertNear(double[] want, double[] got) {
    assertEquals(want.length, got.length);
    for (int i = 0; i < want.length; i++) {
      assertEquals(want[i], got[i], 1e-5);
    }
  }

  @Test
  void numbersThatMakeNoSenseAreRefused() {
    for (double wrong : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThrows(ArgumentException.class, () -> new BatchNorm(wrong));
      assertThrows(ArgumentException.class, () -> new BatchNormGradient(wrong));
      assertThrows(ArgumentException.class, () -> new Normalize(wrong));
      assertThrows(
          ArgumentException.class, () -> new dev.halfcell.op.normalization.LayerNorm(wrong));
      assertThrows(ArgumentException.class, () -> new BatchNormOptions(wrong, 0.9, false));
    }
    assertThrows(ArgumentException.class, () -> new RunningAverage(1.5, 1));
    assertThrows(ArgumentException.class, () -> new RunningAverage(Double.NaN, 1));
    assertThrows(ArgumentException.class, () -> new RunningAverage(0.9, Double.NaN));
    assertThrows(ArgumentException.class, () -> new RunningAverage(0.9, Double.POSITIVE_INFINITY));
  }
}
