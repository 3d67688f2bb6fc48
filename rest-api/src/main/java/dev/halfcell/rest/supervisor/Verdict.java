package dev.halfcell.rest.supervisor;

import dev.halfcell.rest.job.Exit;
import dev.halfcell.rest.job.Failure;
import dev.halfcell.rest.job.JobAction;
import dev.halfcell.rest.job.StatusReason;
import dev.halfcell.rest.store.Fence;
import dev.halfcell.rest.store.Transition;
import java.time.Instant;
import java.util.Optional;

/**
 * What becomes of a job whose worker has ended.
 *
 * @param action what is done to it
 * @param code why, for programs
 * @param message why, for people
 * @param failure what it is told of its failure, where it failed
 */
record Verdict(
    JobAction action, StatusReason.Code code, String message, Optional<Failure> failure) {
  /** One that is no failure. */
  Verdict(JobAction action, StatusReason.Code code, String message) {
    this(action, code, message, Optional.empty());
  }

  /** What the store is to be told. */
  Transition of(Fence fence, Exit exit) {
    return new Transition(
        action,
        new StatusReason(code, message, Instant.now()),
        Optional.of(fence),
        Optional.of(exit),
        failure);
  }
}
