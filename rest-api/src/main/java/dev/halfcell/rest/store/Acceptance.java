package dev.halfcell.rest.store;

import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobId;

/** What came of a job that was sent. */
public sealed interface Acceptance {
  /** It is in the queue and will not be lost. */
  record Accepted(Job job) implements Acceptance {}

  /** The same was sent before with the same key: this is the job of then. */
  record Replayed(Job job) implements Acceptance {}

  /** Something else was sent before with the same key. */
  record KeyReused(JobId job) implements Acceptance {}

  /** Its owner has a job of that external id. */
  record ExternalIdTaken(JobId job) implements Acceptance {}

  /** So many jobs wait as may wait. */
  record QueueFull(long waiting, long most) implements Acceptance {}

  /** Its owner has as many jobs that are not over as it may. */
  record QuotaReached(long live, long most) implements Acceptance {}
}
