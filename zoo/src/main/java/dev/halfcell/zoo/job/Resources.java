package dev.halfcell.zoo.job;

import java.util.Optional;

/**
 * What a run may take of its machine.
 *
 * @param threads that compute
 * @param memoryLimit bytes that it may hold
 */
public record Resources(
    @Key(value = "Threads that compute.", least = 1, most = 1024) Optional<Integer> threads,
    @Key(value = "Bytes that the run may hold.", least = 1) Optional<Long> memoryLimit) {}
