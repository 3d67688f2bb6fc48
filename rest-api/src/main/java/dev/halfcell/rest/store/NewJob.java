package dev.halfcell.rest.store;

import dev.halfcell.rest.job.Description;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.Origin;
import java.time.Instant;
import java.util.Optional;

/**
 * A job that is to be accepted.
 *
 * @param id a new one
 * @param owner whose it will be
 * @param key the Idempotency-Key it was sent with, and what identifies its request
 * @param externalId its submitter's own name for it
 * @param description what people say of it
 * @param network what it trains
 * @param level its precision level
 * @param specification as sent
 * @param resolved with all defaults filled in
 * @param estimatedBytes the memory that it will hold
 * @param resumedFrom what it goes on from
 * @param trace the id of the trace of its request
 * @param createdAt now
 */
public record NewJob(
    JobId id,
    String owner,
    Optional<Key> key,
    Optional<String> externalId,
    Description description,
    String network,
    String level,
    String specification,
    String resolved,
    long estimatedBytes,
    Optional<Origin> resumedFrom,
    Optional<String> trace,
    Instant createdAt) {
  /**
   * By which a request is known again.
   *
   * @param text what its client chose
   * @param request a hash of the whole request
   */
  public record Key(String text, String request) {}
}
