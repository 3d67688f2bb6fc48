package dev.halfcell.rest.job;

/**
 * What a job goes on from.
 *
 * @param job whose checkpoint it is
 * @param checkpoint its name
 * @param step the steps that it holds
 */
public record Origin(JobId job, String checkpoint, long step) {}
