package dev.halfcell.rest.job;

import java.util.List;
import java.util.Optional;

/**
 * A job, whole.
 *
 * @param summary what lists show
 * @param specification what was sent, as JSON; never changes
 * @param resolved the same with all defaults filled in; never changes
 * @param attempts its workers, the first one first
 * @param exit how its last worker's process ended
 * @param failure why it failed, if it did
 */
public record Job(
    JobSummary summary,
    String specification,
    String resolved,
    List<Attempt> attempts,
    Optional<Exit> exit,
    Optional<Failure> failure) {
  public Job {
    attempts = List.copyOf(attempts);
  }

  /** Its name for programs. */
  public JobId id() {
    return summary.id();
  }

  /** Where it is in its life. */
  public JobState state() {
    return summary.state();
  }
}
