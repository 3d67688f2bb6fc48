package dev.halfcell.rest.job;

import dev.halfcell.rest.job.Move.Refused;
import dev.halfcell.rest.job.Move.Stays;
import dev.halfcell.rest.job.Move.To;

/**
 * Where a job is in its life. {@link #next} decides every state and every action; nothing else
 * moves a job, but that a job which was asked to wait is {@link #PAUSED} where it would be {@link
 * #INTERRUPTED}. What has ended stays as it ended.
 */
public enum JobState {
  /** It waits for a worker. */
  QUEUED,
  /** A server has taken it and starts its worker. */
  STARTING,
  /** Its worker trains. */
  RUNNING,
  /** It was asked to wait, holds a checkpoint and nothing of the machine. */
  PAUSED,
  /** Its worker or server died; it goes back to the queue by itself. */
  INTERRUPTED,
  /** It was asked to end, and its worker has not ended yet. */
  CANCELLING,
  /** It was trained to its end, and its results are there. */
  SUCCEEDED,
  /** It cannot go on. */
  FAILED,
  /** It was ended by request. */
  CANCELLED;

  /** Whether it is over for good. */
  public boolean terminal() {
    return this == SUCCEEDED || this == FAILED || this == CANCELLED;
  }

  /** Whether a server holds it by a lease, and a process may run for it. */
  public boolean held() {
    return this == STARTING || this == RUNNING || this == CANCELLING;
  }

  /** What an action does to a job in this state. */
  public Move next(JobAction action) {
    return switch (this) {
      case QUEUED -> queued(action);
      case STARTING -> starting(action);
      case RUNNING -> running(action);
      case PAUSED -> paused(action);
      case INTERRUPTED -> interrupted(action);
      case CANCELLING -> cancelling(action);
      case SUCCEEDED, FAILED, CANCELLED -> ended(action);
    };
  }

  private static Move queued(JobAction action) {
    return switch (action) {
      case CLAIM -> new To(STARTING);
      case ASK_CANCEL -> new To(CANCELLED);
      case ASK_PAUSE -> new To(PAUSED);
      case EXPIRE -> new To(FAILED);
      case QUEUE -> new Stays();
      case BEGIN, COMPLETE, FAIL, LOSE, PAUSE -> new Refused();
    };
  }

  private static Move starting(JobAction action) {
    return switch (action) {
      case BEGIN -> new To(RUNNING);
      case FAIL -> new To(FAILED);
      case LOSE -> new To(INTERRUPTED);
      case PAUSE -> new To(PAUSED);
      case ASK_CANCEL -> new To(CANCELLING);
      case ASK_PAUSE -> new Stays(); // its worker is told, and PAUSE follows
      case CLAIM, COMPLETE, EXPIRE, QUEUE -> new Refused();
    };
  }

  private static Move running(JobAction action) {
    return switch (action) {
      case COMPLETE -> new To(SUCCEEDED);
      case FAIL -> new To(FAILED);
      case LOSE -> new To(INTERRUPTED);
      case PAUSE -> new To(PAUSED);
      case ASK_CANCEL -> new To(CANCELLING);
      case ASK_PAUSE, BEGIN -> new Stays();
      case CLAIM, EXPIRE, QUEUE -> new Refused();
    };
  }

  private static Move paused(JobAction action) {
    return switch (action) {
      case QUEUE -> new To(QUEUED);
      case ASK_CANCEL -> new To(CANCELLED);
      case ASK_PAUSE -> new Stays();
      case CLAIM, BEGIN, COMPLETE, FAIL, EXPIRE, LOSE, PAUSE -> new Refused();
    };
  }

  private static Move interrupted(JobAction action) {
    return switch (action) {
      case QUEUE -> new To(QUEUED);
      case FAIL -> new To(FAILED); // its workers die each time
      case ASK_CANCEL -> new To(CANCELLED);
      case ASK_PAUSE -> new To(PAUSED);
      case CLAIM, BEGIN, COMPLETE, EXPIRE, LOSE, PAUSE -> new Refused();
    };
  }

  /** However its worker ends, the job was cancelled; unless it was quicker and completed. */
  private static Move cancelling(JobAction action) {
    return switch (action) {
      case COMPLETE -> new To(SUCCEEDED);
      case FAIL, LOSE, PAUSE -> new To(CANCELLED);
      case ASK_CANCEL, BEGIN -> new Stays();
      case CLAIM, EXPIRE, QUEUE, ASK_PAUSE -> new Refused();
    };
  }

  private static Move ended(JobAction action) {
    return switch (action) {
      case ASK_CANCEL -> new Stays();
      case CLAIM, BEGIN, COMPLETE, FAIL, EXPIRE, LOSE, PAUSE, QUEUE, ASK_PAUSE -> new Refused();
    };
  }
}
