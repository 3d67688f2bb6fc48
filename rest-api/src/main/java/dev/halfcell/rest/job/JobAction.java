package dev.halfcell.rest.job;

/** What may happen to a job. {@link JobState#next} says what each does. */
public enum JobAction {
  /** A server takes it to start its worker. */
  CLAIM,
  /** Its worker has begun to train. */
  BEGIN,
  /** Its worker has trained it to its end, and its results are on the disk. */
  COMPLETE,
  /** It cannot go on: its training failed, ran too long, or its workers die each time. */
  FAIL,
  /** It has waited too long. Who is claimed in that moment waits no more. */
  EXPIRE,
  /** Its worker or server ended without its end, or had to give it back. */
  LOSE,
  /** Its worker has saved its state and ended, as it was asked to. */
  PAUSE,
  /** It is to wait for a worker again. */
  QUEUE,
  /** Somebody wants it to end. */
  ASK_CANCEL,
  /** Somebody wants it to wait. */
  ASK_PAUSE
}
