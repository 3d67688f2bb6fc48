package dev.halfcell.rest.http;

import dev.halfcell.rest.job.Attempt;
import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobProgress;
import dev.halfcell.rest.job.JobState;
import dev.halfcell.rest.job.JobSummary;
import dev.halfcell.rest.job.StatusReason;
import dev.halfcell.rest.store.NewJob;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What comes of jobs that are sent. */
final class NewJobs {
  private NewJobs() {}

  /** One as it is when it was accepted. */
  static Job accepted(NewJob of) {
    JobSummary summary =
        new JobSummary(
            of.id(),
            of.owner(),
            of.externalId(),
            of.description(),
            of.network(),
            of.level(),
            JobState.QUEUED,
            new StatusReason(StatusReason.Code.WAITING_FOR_WORKER, "It waits.", of.createdAt()),
            Optional.empty(),
            Map.of(),
            0,
            of.estimatedBytes(),
            of.createdAt(),
            Optional.empty(),
            Optional.empty(),
            of.resumedFrom(),
            of.trace(),
            1);
    return new Job(
        summary, of.specification(), of.resolved(), List.of(), Optional.empty(), Optional.empty());
  }

  /** One whose only worker has done this, and told so. */
  static Job tried(Job job, Attempt attempt, JobProgress progress) {
    JobSummary s = job.summary();
    JobSummary summary =
        new JobSummary(
            s.id(),
            s.owner(),
            s.externalId(),
            s.description(),
            s.network(),
            s.level(),
            s.state(),
            s.statusReason(),
            Optional.of(progress),
            s.metrics(),
            attempt.number(),
            s.estimatedBytes(),
            s.createdAt(),
            Optional.of(attempt.startedAt()),
            s.endedAt(),
            s.resumedFrom(),
            s.trace(),
            s.revision() + 1);
    return new Job(
        summary, job.specification(), job.resolved(), List.of(attempt), job.exit(), job.failure());
  }
}
