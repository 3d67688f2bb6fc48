package dev.halfcell.rest.store;

import dev.halfcell.rest.job.EventKind;
import dev.halfcell.rest.job.JobAction;
import dev.halfcell.rest.job.JobState;
import dev.halfcell.rest.job.StatusReason;
import java.time.Instant;

/** What a transition makes of a job's row and tells of it; writes nothing. */
final class Moves {
  private Moves() {}

  /**
   * Where a move leads. A worker that was lost behind a wish to pause leaves a job that waits: who
   * ended it may not have read of the wish.
   */
  static JobState target(JobRow row, JobState to) {
    return to == JobState.INTERRUPTED && wished(row) ? JobState.PAUSED : to;
  }

  private static boolean wished(JobRow row) {
    return row.summary().statusReason().code() == StatusReason.Code.PAUSING;
  }

  /** What the event of a move says. */
  private record Moved(JobState from, JobState to, Why reason) {}

  private record Why(StatusReason.Code code, String message) {}

  static JobRow moved(JobRow row, Transition transition, JobState to) {
    Instant at = transition.reason().since();
    SummaryEdit edit = new SummaryEdit(row.summary()).state(to).reason(reason(row, transition, to));
    if (transition.action() == JobAction.BEGIN) {
      edit.startedAt(at);
    }
    if (to.terminal()) {
      edit.endedAt(at);
    }
    return row.with(edit.done());
  }

  /**
   * When an attempt ended. One that was lost while nobody looked ended with its lease at the
   * latest: what its server was away for is no time of the job's.
   */
  static Instant attemptEnd(JobRow row, Transition transition) {
    Instant told = transition.reason().since();
    return row.leaseUntil()
        .filter(lease -> transition.action() == JobAction.LOSE && lease.isBefore(told))
        .orElse(told);
  }

  /** Why an attempt ended. Of one that was lost that is told, whatever its job waits for then. */
  static StatusReason.Code attemptReason(JobRow moved, Transition transition) {
    return moved.summary().state() == JobState.PAUSED
        ? transition.reason().code()
        : moved.summary().statusReason().code();
  }

  /**
   * A wish to pause is said in the reason until it is fulfilled; any other stay changes nothing.
   */
  static boolean tellsOfWish(JobRow row, Transition transition) {
    return transition.action() == JobAction.ASK_PAUSE
        && row.summary().state().held()
        && row.summary().statusReason().code() != transition.reason().code();
  }

  static Report.Happened event(JobState from, JobRow row, Instant at) {
    StatusReason reason = row.summary().statusReason();
    return new Report.Happened(
        at,
        EventKind.STATE,
        Json.write(
            new Moved(from, row.summary().state(), new Why(reason.code(), reason.message()))));
  }

  /** Whoever ends a worker does not know yet of a wish that was told in the same moment. */
  private static StatusReason reason(JobRow row, Transition transition, JobState to) {
    StatusReason given = transition.reason();
    if (row.summary().state() == JobState.CANCELLING
        && to == JobState.CANCELLED
        && given.code() != StatusReason.Code.CANCELLED_BY_REQUEST) {
      return new StatusReason(
          StatusReason.Code.CANCELLED_BY_REQUEST,
          "It was cancelled as its submitter asked.",
          given.since());
    }
    if (transition.action() == JobAction.LOSE && to == JobState.PAUSED) {
      return new StatusReason(
          StatusReason.Code.PAUSED_BY_REQUEST,
          "paused as it was asked; " + given.message(),
          given.since());
    }
    return to == JobState.RUNNING && wished(row) ? row.summary().statusReason() : given;
  }
}
