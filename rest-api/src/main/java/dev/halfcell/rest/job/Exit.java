package dev.halfcell.rest.job;

import java.util.Optional;

/**
 * How a worker's process ended.
 *
 * @param code its exit code, where no signal ended it
 * @param signal the number of the signal that ended it
 * @param graceful whether it ended by itself, having said how
 */
public record Exit(Optional<Integer> code, Optional<Integer> signal, boolean graceful) {}
