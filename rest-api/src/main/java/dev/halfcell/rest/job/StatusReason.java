package dev.halfcell.rest.job;

import java.time.Instant;

/**
 * Why a job is in its state.
 *
 * @param code of a closed list, for programs
 * @param message for people, with figures: bytes needed and free, its place, the next try
 * @param since when this came to be so
 */
public record StatusReason(Code code, String message, Instant since) {
  /** The reasons there are; the names are stable. */
  public enum Code {
    /** Others are before it, or all workers are taken. */
    WAITING_FOR_WORKER,
    /** What it needs is not free yet. */
    WAITING_FOR_MEMORY,
    /** A job of a lower priority saves its state and ends, so that this one can run. */
    MAKING_ROOM,
    /** Its worker is being started. */
    STARTING_WORKER,
    /** Its worker trains. */
    TRAINING,
    /** Its worker was told to save its state and end, for the job is to wait. */
    PAUSING,
    /** Somebody asked it to wait. */
    PAUSED_BY_REQUEST,
    /** Its worker was told to save its state and end. */
    CANCELLING,
    /** Somebody ended it. */
    CANCELLED_BY_REQUEST,
    /** Its server died or lost its lease. */
    SERVER_LOST,
    /** Its worker died. */
    WORKER_LOST,
    /** Its server was told to end, and its state was saved. */
    SERVER_STOPPED,
    /** A job of a higher priority needed its place, and its state was saved. */
    PREEMPTED,
    /** It was trained to its end. */
    COMPLETED,
    /** Its training failed; {@link Failure} tells more. */
    TRAINING_FAILED,
    /** It held more memory than it may, or there was none left. */
    OUT_OF_MEMORY,
    /** Its workers died one after the other. */
    WORKERS_KEEP_DYING,
    /** No checkpoint of it can be read. */
    NO_USABLE_CHECKPOINT,
    /** It waited longer than its {@code queueTimeout}. */
    QUEUE_TIMEOUT,
    /** Its worker took too long to start. */
    START_TIMEOUT,
    /** It ran longer than its {@code timeout}. */
    RUN_TIMEOUT
  }
}
