package dev.halfcell.rest.store;

import dev.halfcell.rest.job.JobId;

/**
 * By which the writes of an attempt that was given up are told apart and refused.
 *
 * @param job the job it works on
 * @param server who started it
 * @param attempt its number
 */
public record Fence(JobId job, String server, int attempt) {}
