package dev.halfcell.rest.client;

import java.time.Instant;
import java.util.Optional;

/**
 * A line that a worker printed.
 *
 * @param time when its server read it; none of a line that was not stamped
 * @param level how much it matters: {@code error}, {@code warning}, {@code info}, {@code debug}, or
 *     what a newer server may say
 * @param message what was printed
 * @param attempt the attempt whose worker printed it
 * @param step the last step that was told of by then
 * @param traceId the trace of the request that the job came with
 */
public record LogLine(
    Optional<Instant> time,
    String level,
    String message,
    Optional<Integer> attempt,
    Optional<Long> step,
    Optional<String> traceId) {}
