package dev.halfcell.zoo.trajectory;

import dev.halfcell.backend.Backend;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.verify.GoldenCheck;
import dev.halfcell.verify.GoldenFile;
import dev.halfcell.verify.Verification;
import dev.halfcell.zoo.data.DataSplit;
import dev.halfcell.zoo.data.FashionMnist;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Files of the first steps of a training: the losses, and in FP32 the gradient norms, of the same
 * steps taken here. A row for O0, for O2 in FP16 and for O2 in BF16. The images have to be on this
 * machine.
 */
public final class GoldenTrajectories implements GoldenCheck {
  private final Function<TensorSpec, Optional<DataSplit>> data;

  /** Trajectories on the data set that is installed on this machine. */
  public GoldenTrajectories() {
    this(FashionMnist::installed);
  }

  /**
   * Trajectories on what {@code data} gives for the form of a sample; it is asked when a file needs
   * it.
   */
  public GoldenTrajectories(Function<TensorSpec, Optional<DataSplit>> data) {
    this.data = data;
  }

  @Override
  public boolean covers(GoldenFile file) {
    return new TrajectoryFile(file).known();
  }

  @Override
  public List<Verification> check(GoldenFile file, Backend backend) {
    Trajectory trajectory = new TrajectoryFile(file).read();
    Optional<TrajectoryRun> run =
        data.apply(trajectory.network().sample())
            .map(split -> new TrajectoryRun(trajectory, split.train(), backend));
    return TrajectoryLevel.all().stream()
        .map(
            level ->
                run.map(r -> compared(file, level, Deviations.of(trajectory, r.at(level))))
                    .orElseGet(() -> missing(file, level)))
        .toList();
  }

  private static Verification compared(
      GoldenFile file, TrajectoryLevel level, Deviations deviations) {
    Deviations.Measure worst = deviations.worstWithin(level.bounds());
    return new Verification(
        file.name(),
        level.label(),
        worst.deviation(),
        worst.bound(),
        worst.allowed() ? Verification.Status.PASSED : Verification.Status.FAILED,
        worst.name() + "; " + deviations);
  }

  private static Verification missing(GoldenFile file, TrajectoryLevel level) {
    return new Verification(
        file.name(),
        level.label(),
        Double.NaN,
        Double.NaN,
        Verification.Status.DATA_MISSING,
        FashionMnist.HOW_TO_GET);
  }
}
