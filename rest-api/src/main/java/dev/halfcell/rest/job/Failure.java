package dev.halfcell.rest.job;

import java.util.Optional;

/**
 * Why a job failed.
 *
 * @param type a word of a closed list: {@code argument}, {@code shape}, {@code data}, {@code
 *     memory}, {@code non-finite}, {@code deadline}, {@code worker}, {@code internal}. {@code
 *     data}: a data set or a checkpoint is missing or damaged, a file cannot be read or written
 * @param detail a sentence for people
 * @param cell the cell it happened in
 * @param step the step it happened at
 * @param oomKilled whether too much memory ended its worker
 * @param retryable whether the same specification may do better another time
 * @param logTail the last lines of its worker's log
 */
public record Failure(
    String type,
    String detail,
    Optional<String> cell,
    Optional<Long> step,
    boolean oomKilled,
    boolean retryable,
    String logTail) {}
