package dev.halfcell.rest.job;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A job as lists show it.
 *
 * @param id its name for programs
 * @param owner the token it came with, {@code local} without
 * @param externalId the submitter's own name for it, unique for its owner
 * @param description what people say of it
 * @param network what it trains; {@code cells} for a list of cells
 * @param level its precision level
 * @param state where it is in its life
 * @param statusReason why
 * @param progress how far it is, once the worker of its last attempt has said
 * @param metrics the latest values by their names
 * @param attempt the number of the attempt at hand or of the last, 0 before the first
 * @param estimatedBytes the memory that it will hold
 * @param createdAt when it was accepted
 * @param startedAt when its first worker began to train
 * @param endedAt when it came to a terminal state
 * @param resumedFrom what it goes on from
 * @param trace the id of the trace of the request that it came with
 * @param revision grows with each change
 */
public record JobSummary(
    JobId id,
    String owner,
    Optional<String> externalId,
    Description description,
    String network,
    String level,
    JobState state,
    StatusReason statusReason,
    Optional<JobProgress> progress,
    Map<String, Double> metrics,
    int attempt,
    long estimatedBytes,
    Instant createdAt,
    Optional<Instant> startedAt,
    Optional<Instant> endedAt,
    Optional<Origin> resumedFrom,
    Optional<String> trace,
    long revision) {
  public JobSummary {
    metrics = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
  }
}
