package dev.halfcell.zoo.trajectory;

import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.tensor.DType;
import java.util.List;

/**
 * A precision that trajectories are run in.
 *
 * @param label its name in reports
 * @param level the level to build the network at
 * @param options what to build it with
 * @param bounds how far a run may go from the golden one
 */
record TrajectoryLevel(String label, Level level, AmpOptions options, Deviations bounds) {
  /**
   * Those that each trajectory is run in. Gradient norms are compared in FP32 alone. Half runs with
   * the fixed scale 1024: at 2^16 the first step of LeNet-5 overflows, and is skipped by right.
   *
   * <p>Source of half's bounds: a simulation in double that rounds each activation and each
   * activation gradient to half, in which LeNet-5 goes 1.6 % (FP16) and 2.4 % (BF16) at most.
   */
  static List<TrajectoryLevel> all() {
    AmpOptions full = AmpOptions.defaults().lossScale(LossScale.none());
    return List.of(
        new TrajectoryLevel("O0", Level.O0, full, new Deviations(1e-4, 1e-4, 1e-3)),
        half("O2 fp16", DType.FP16, 0.03, 0.01),
        half("O2 bf16", DType.BF16, 0.06, 0.02));
  }

  private static TrajectoryLevel half(String label, DType half, double worst, double mean) {
    return new TrajectoryLevel(
        label,
        Level.O2,
        AmpOptions.defaults().half(half).lossScale(LossScale.fixed(1024)),
        new Deviations(worst, mean, Double.POSITIVE_INFINITY));
  }
}
