package dev.halfcell.zoo.trajectory;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.ReferenceBackend;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * One comparison that a trajectory is held to.
 *
 * @param label its name in reports
 * @param level the precision that the steps are taken in
 * @param bounds how far they may go
 * @param compare takes the steps
 */
record TrajectoryRow(
    String label,
    TrajectoryLevel level,
    Deviations bounds,
    BiFunction<TrajectoryRun, TrajectoryLevel, Deviations> compare) {
  /**
   * How far FP32 itself leads away from golden steps that magnify rounding: within six steps of
   * ResNet-20 libtorch's losses go up to 2.5 % (docs/adr/0002), and ours 0.8 %, gradient norms 5 %.
   */
  private static final double LOSSES_OF_FP32 = 0.03;

  private static final double NORMS_OF_FP32 = 0.1;

  /**
   * The rows of a trajectory on a backend: from the golden steps at each level. After the first
   * step, one that {@linkplain Trajectory#magnifiesRounding magnifies rounding} may go as much
   * further as FP32 does; in exchange, each of its steps by itself has to go where the reference
   * backend's goes, within the bounds of the level.
   */
  static List<TrajectoryRow> of(Trajectory trajectory, Backend backend) {
    List<TrajectoryLevel> levels = TrajectoryLevel.all();
    if (!trajectory.magnifiesRounding()) {
      return levels.stream().map(TrajectoryRow::golden).toList();
    }
    Stream<TrajectoryRow> golden = levels.stream().map(TrajectoryRow::widened);
    return backend.name().equals(ReferenceBackend.NAME)
        ? golden.toList()
        : Stream.concat(golden, levels.stream().map(TrajectoryRow::stepByStep)).toList();
  }

  private static TrajectoryRow golden(TrajectoryLevel level) {
    return new TrajectoryRow(level.label(), level, level.bounds(), TrajectoryRun::fromGolden);
  }

  private static TrajectoryRow widened(TrajectoryLevel level) {
    Deviations bounds = level.bounds().widened(LOSSES_OF_FP32, NORMS_OF_FP32);
    return new TrajectoryRow(level.label(), level, bounds, TrajectoryRun::fromGolden);
  }

  private static TrajectoryRow stepByStep(TrajectoryLevel level) {
    return new TrajectoryRow(
        level.label() + " step by step",
        level,
        level.bounds(),
        TrajectoryRun::stepByStepFromReference);
  }

  /** How far the steps of a run go. */
  Deviations deviations(TrajectoryRun run) {
    return compare.apply(run, level);
  }
}
