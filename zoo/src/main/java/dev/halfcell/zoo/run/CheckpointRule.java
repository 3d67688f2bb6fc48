package dev.halfcell.zoo.run;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.train.checkpoint.CheckpointFolder;
import dev.halfcell.zoo.job.CheckpointSpecification;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * When a run saves a checkpoint: at the end of each epoch, where it is stopped, and meanwhile.
 *
 * @param everySteps after so many steps
 * @param every after so much time
 * @param keep how many are kept
 */
public record CheckpointRule(OptionalInt everySteps, Duration every, int keep) {
  private static final int SECONDS = 30;

  public CheckpointRule {
    ArgumentException.require(
        everySteps.isEmpty() || everySteps.getAsInt() >= 1,
        "checkpoint.everySteps",
        "at least 1",
        everySteps);
    ArgumentException.require(
        every.compareTo(Duration.ofSeconds(1)) >= 0,
        "checkpoint.everySeconds",
        "at least 1",
        every);
    ArgumentException.require(
        keep >= 2, "checkpoint.keep", "at least 2, for one may be damaged", keep);
  }

  /** What a specification says; what it leaves out is every 30 seconds, and two to keep. */
  static CheckpointRule of(CheckpointSpecification said) {
    return new CheckpointRule(
        said.everySteps().map(OptionalInt::of).orElse(OptionalInt.empty()),
        Duration.ofSeconds(said.everySeconds().orElse(SECONDS)),
        said.keep().orElse(CheckpointFolder.KEEP));
  }

  /** Whether it is time, so many steps and so long after the last one. */
  boolean due(long steps, Duration since) {
    return since.compareTo(every) >= 0
        || (everySteps.isPresent() && steps >= everySteps.getAsInt());
  }
}
