package dev.halfcell.rest.supervisor;

import dev.halfcell.rest.job.Failure;
import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobAction;
import dev.halfcell.rest.job.JobState;
import dev.halfcell.rest.job.StatusReason;
import dev.halfcell.rest.job.StatusReason.Code;
import dev.halfcell.rest.store.JobStore;
import dev.halfcell.rest.store.Transition;
import dev.halfcell.zoo.job.JobSpecification;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Goes through the jobs that wait: for those that wait too long, and those that were forgotten. */
record WaitingJobs(JobStore store, Ledger ledger, Recovery recovery) {
  /** Who interrupts a job queues it at once; after so long, that server died in between. */
  private static final Duration FORGOTTEN = Duration.ofSeconds(5);

  private static final String KEY = "\"queueTimeout\"";

  /** Does what is due. */
  void look() {
    store.waiting().stream().filter(WaitingJobs::tooLong).forEach(this::fail);
    var _ = again(FORGOTTEN);
  }

  /**
   * Queues jobs that were interrupted so long ago.
   *
   * @return how many there were
   */
  int again(Duration ago) {
    Instant before = Instant.now().minus(ago);
    var forgotten =
        store.waiting().stream()
            .filter(job -> job.state() == JobState.INTERRUPTED)
            .filter(job -> !job.summary().statusReason().since().isAfter(before))
            .toList();
    forgotten.forEach(recovery::again);
    return forgotten.size();
  }

  private static boolean tooLong(Job job) {
    return job.state() == JobState.QUEUED
        && job.resolved().contains(KEY)
        && JobSpecification.ofJson(job.resolved())
            .queueTimeout()
            .map(Duration::ofSeconds)
            .filter(most -> waited(job).compareTo(most) > 0)
            .isPresent();
  }

  private static Duration waited(Job job) {
    return Duration.between(job.summary().statusReason().since(), Instant.now());
  }

  private void fail(Job job) {
    String detail = "it waited " + waited(job).toSeconds() + " s, longer than its queueTimeout";
    Failure failure =
        new Failure("deadline", detail, Optional.empty(), Optional.empty(), false, true, "");
    var _ =
        ledger.apply(
            job.id(),
            new Transition(
                JobAction.FAIL,
                new StatusReason(Code.QUEUE_TIMEOUT, detail, Instant.now()),
                Optional.empty(),
                Optional.empty(),
                Optional.of(failure)));
  }
}
