package dev.halfcell.rest.service;

import dev.halfcell.rest.job.JobId;

/** Those who start and stop the workers of this server. Threads may share it; nothing waits. */
public interface Workers {
  /** A job was put into the queue, or its place in it changed. */
  void queueChanged();

  /**
   * The state of a job says that its worker is to end, as {@code CANCELLING} or a wish to pause: if
   * this server runs it, it is told to save its state and end, and killed where it does not.
   *
   * @param why what it becomes when its worker has ended
   */
  void stop(JobId job, Stop why);

  /** Why a worker is told to end. */
  enum Stop {
    /** The job is to be cancelled. */
    CANCEL,
    /** It is to wait. */
    PAUSE,
    /** It has run as long as it may. */
    TIMEOUT,
    /** The server ends. */
    DRAIN,
    /** A job of a higher priority waits for its place. */
    PREEMPT
  }
}
