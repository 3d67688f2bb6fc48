package dev.halfcell.rest.store;

import java.time.Instant;

/**
 * A server that can start a worker.
 *
 * @param server its name
 * @param freeBytes the memory that it has left for workers
 * @param totalBytes all that it has for them; a job that needs more is left to a larger server
 * @param now the time of the claim
 * @param leaseUntil how long it holds the job unless it renews
 */
public record Claim(
    String server, long freeBytes, long totalBytes, Instant now, Instant leaseUntil) {}
