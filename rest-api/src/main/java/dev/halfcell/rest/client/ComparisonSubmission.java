package dev.halfcell.rest.client;

/**
 * A comparison that was accepted.
 *
 * @param comparison as it is now
 * @param replayed whether the same request had been accepted before, and this is what came of it
 */
public record ComparisonSubmission(Comparison comparison, boolean replayed) {}
