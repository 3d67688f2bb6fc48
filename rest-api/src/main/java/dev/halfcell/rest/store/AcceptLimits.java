package dev.halfcell.rest.store;

/**
 * How much may wait.
 *
 * @param queued jobs in the queue, of all owners
 * @param live jobs of an owner that are not over
 */
public record AcceptLimits(long queued, long live) {}
