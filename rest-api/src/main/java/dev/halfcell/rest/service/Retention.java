package dev.halfcell.rest.service;

import dev.halfcell.rest.job.JobSummary;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How long jobs that are over are kept.
 *
 * @param age for so long; for ever where empty
 * @param jobs at most so many, those that were sent last; pinned ones count and are never deleted
 */
public record Retention(Optional<Duration> age, Optional<Long> jobs) {
  /** All are kept for ever. */
  public static Retention forEver() {
    return new Retention(Optional.empty(), Optional.empty());
  }

  /** Whether any is ever deleted. */
  boolean deletes() {
    return age.isPresent() || jobs.isPresent();
  }

  /** When a job is old enough to be deleted; none where it is not over, or pinned. */
  public Optional<Instant> expiresAt(JobSummary job) {
    return job.description().pinned() || !job.state().terminal()
        ? Optional.empty()
        : age.flatMap(most -> job.endedAt().map(end -> end.plus(most)));
  }
}
