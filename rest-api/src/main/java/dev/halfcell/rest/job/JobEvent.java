package dev.halfcell.rest.job;

import java.time.Instant;

/**
 * Something that happened to a job. Numbers of a job's events grow without a gap.
 *
 * @param job whose
 * @param number from 1
 * @param attempt the attempt it belongs to, 0 before the first
 * @param at when
 * @param kind what kind of thing
 * @param data what of it, a JSON object
 */
public record JobEvent(
    JobId job, long number, int attempt, Instant at, EventKind kind, String data) {}
