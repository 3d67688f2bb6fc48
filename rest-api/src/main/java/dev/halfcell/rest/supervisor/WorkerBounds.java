package dev.halfcell.rest.supervisor;

import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.service.Workers.Stop;
import dev.halfcell.zoo.job.JobSpecification;
import java.time.Duration;
import java.util.Optional;

/**
 * What a worker may take.
 *
 * @param memory the bytes that it may hold
 * @param running the time that is left to its job
 * @param grace the time that it has to stop in, where the job says so
 * @param timing the time that it has for all else
 */
record WorkerBounds(
    long memory, Optional<Duration> running, Optional<Duration> grace, Timing timing) {
  private static final double MORE = 1.1;

  /** Those of a job's next worker. */
  static WorkerBounds of(Job job, WorkerSettings settings) {
    JobSpecification said = JobSpecification.ofJson(job.resolved());
    return new WorkerBounds(
        said.resources().memoryLimit().orElse(memory(job.summary().estimatedBytes(), settings)),
        said.timeout().map(Duration::ofSeconds).map(all -> left(all, job)),
        said.stopGraceSeconds().map(Duration::ofSeconds),
        settings.timing());
  }

  /**
   * Those of a task, which never trains.
   *
   * @param bytes the estimate of what it holds
   * @param deadline what it has for everything
   */
  static WorkerBounds ofTask(long bytes, Duration deadline, WorkerSettings settings) {
    return new WorkerBounds(
        memory(bytes, settings),
        Optional.empty(),
        Optional.empty(),
        settings.timing().start(deadline).silence(deadline));
  }

  private static long memory(long estimate, WorkerSettings settings) {
    return (long) (estimate * MORE) + settings.margin();
  }

  private static Duration left(Duration all, Job job) {
    Duration left = all.minus(WorkerRun.spent(job.attempts()));
    return left.isNegative() ? Duration.ZERO : left;
  }

  /** Whoever cancels does not wait for long; what else stops is to lose no step. */
  Duration grace(Stop why) {
    return grace.orElse(why == Stop.CANCEL ? timing.cancelGrace() : timing.stopGrace());
  }
}
