package dev.halfcell.rest.store;

import dev.halfcell.rest.job.Exit;
import dev.halfcell.rest.job.Failure;
import dev.halfcell.rest.job.JobAction;
import dev.halfcell.rest.job.StatusReason;
import java.util.Optional;

/**
 * What is to be done to a job, and why.
 *
 * @param action what
 * @param reason what its status says afterwards, where it moved or stays on its way; but a wish to
 *     pause stays said when its worker begins, and what was to be cancelled says that it was
 * @param fence whose attempt it must be; none where anybody may
 * @param exit how the worker's process ended, where one did
 * @param failure why it failed, where it does
 */
public record Transition(
    JobAction action,
    StatusReason reason,
    Optional<Fence> fence,
    Optional<Exit> exit,
    Optional<Failure> failure) {
  /** One that anybody may ask for. */
  public static Transition of(JobAction action, StatusReason reason) {
    return new Transition(action, reason, Optional.empty(), Optional.empty(), Optional.empty());
  }

  /** One of an attempt. */
  public static Transition of(JobAction action, StatusReason reason, Fence fence) {
    return new Transition(action, reason, Optional.of(fence), Optional.empty(), Optional.empty());
  }
}
