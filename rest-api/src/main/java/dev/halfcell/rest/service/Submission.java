package dev.halfcell.rest.service;

import dev.halfcell.rest.store.NewJob;
import java.util.Optional;

/**
 * How a job was sent.
 *
 * @param owner whose it will be
 * @param key the Idempotency-Key, with what identifies the request
 * @param externalId the sender's own name for it
 * @param trace the id of the trace of the request
 */
public record Submission(
    String owner, Optional<NewJob.Key> key, Optional<String> externalId, Optional<String> trace) {
  /** One of somebody, with nothing else said. */
  public static Submission of(Caller caller) {
    return new Submission(caller.owner(), Optional.empty(), Optional.empty(), Optional.empty());
  }
}
