package dev.halfcell.rest.store;

import dev.halfcell.rest.job.JobState;
import dev.halfcell.rest.job.JobSummary;
import java.time.Instant;
import java.util.Optional;

/**
 * A job as a transaction holds it.
 *
 * @param server who holds it, or held it last
 * @param leaseUntil how long it is held
 * @param firstEvent the number of the oldest event that is kept
 * @param lastEvent the number of the newest, one less where there is none
 */
record JobRow(
    JobSummary summary,
    Optional<String> server,
    Optional<Instant> leaseUntil,
    long firstEvent,
    long lastEvent) {
  JobRow with(JobSummary changed) {
    Optional<Instant> lease = changed.state().held() ? leaseUntil : Optional.empty();
    return new JobRow(changed, server, lease, firstEvent, lastEvent);
  }

  JobRow heldBy(Claim claim) {
    return new JobRow(
        summary,
        Optional.of(claim.server()),
        Optional.of(claim.leaseUntil()),
        firstEvent,
        lastEvent);
  }

  JobRow withEvents(long first, long last) {
    return new JobRow(summary, server, leaseUntil, first, last);
  }

  /** Whether an attempt is the last one and its job was not given back to the queue since. */
  boolean lastAttemptIs(Fence fence) {
    JobState state = summary.state();
    return fence.attempt() == summary.attempt()
        && server.equals(Optional.of(fence.server()))
        && state != JobState.QUEUED
        && state != JobState.PAUSED;
  }

  /** Whether an attempt holds the job. */
  boolean atHand(Fence fence) {
    return summary.state().held() && lastAttemptIs(fence);
  }
}
