package dev.halfcell.rest.client;

/**
 * A job that was accepted.
 *
 * @param job as it is now
 * @param replayed whether the same request had been accepted before, and this is its job
 */
public record Submission(Job job, boolean replayed) {}
