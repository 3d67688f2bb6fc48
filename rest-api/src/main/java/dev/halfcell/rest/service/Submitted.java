package dev.halfcell.rest.service;

import dev.halfcell.rest.job.Job;

/**
 * A job that lies in the store.
 *
 * @param replayed whether the same was sent before
 */
public record Submitted(Job job, boolean replayed) {}
