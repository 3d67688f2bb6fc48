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
 * steps taken here. A row for O0, for O2 in FP16 and for O2 in BF16; where a trajectory magnifies
 * rounding, backends other than the reference have three more, of each step by itself. The images
 * have to be on this machine.
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
    return TrajectoryRow.of(trajectory, backend).stream()
        .map(
            row ->
                run.map(steps -> compared(file, row, row.deviations(steps)))
                    .orElseGet(() -> missing(file, row)))
        .toList();
  }

  private static Verification compared(GoldenFile file, TrajectoryRow row, Deviations deviations) {
    Deviations.Measure worst = deviations.worstWithin(row.bounds());
    return new Verification(
        file.name(),
        row.label(),
        worst.deviation(),
        worst.bound(),
        worst.allowed() ? Verification.Status.PASSED : Verification.Status.FAILED,
        worst.name() + "; " + deviations);
  }

  private static Verification missing(GoldenFile file, TrajectoryRow row) {
    return new Verification(
        file.name(),
        row.label(),
        Double.NaN,
        Double.NaN,
        Verification.Status.DATA_MISSING,
        FashionMnist.HOW_TO_GET);
  }
}
