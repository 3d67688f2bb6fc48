package dev.halfcell.rest.supervisor;

import dev.halfcell.rest.job.Failure;
import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobAction;
import dev.halfcell.rest.job.StatusReason;
import dev.halfcell.rest.job.StatusReason.Code;
import dev.halfcell.rest.store.JobStore;
import dev.halfcell.rest.store.Transition;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Looks after jobs that wait: for those that wait too long, and those that were forgotten. */
record WaitingJobs(JobStore store, Ledger ledger, Recovery recovery) {
  /** Who interrupts a job queues it at once; after so long, that server died in between. */
  private static final Duration FORGOTTEN = Duration.ofSeconds(5);

  /** Does what is due. */
  void look() {
    store.overdue(Instant.now()).forEach(this::fail);
    var _ = again(FORGOTTEN);
  }

  /**
   * Queues jobs that were interrupted so long ago, or later than now: by a clock that was set back.
   *
   * @return how many there were
   */
  int again(Duration ago) {
    Instant now = Instant.now();
    var forgotten =
        store.interrupted().stream()
            .filter(job -> due(job.summary().statusReason().since(), now, ago))
            .toList();
    forgotten.forEach(recovery::again);
    return forgotten.size();
  }

  private static boolean due(Instant since, Instant now, Duration ago) {
    return !since.isAfter(now.minus(ago)) || since.isAfter(now);
  }

  private void fail(Job job) {
    String detail =
        "it waited longer than its queueTimeout. Last: " + job.summary().statusReason().message();
    Failure failure =
        new Failure("deadline", detail, Optional.empty(), Optional.empty(), false, true, "");
    var _ =
        ledger.apply(
            job.id(),
            new Transition(
                JobAction.EXPIRE,
                new StatusReason(Code.QUEUE_TIMEOUT, detail, Instant.now()),
                Optional.empty(),
                Optional.empty(),
                Optional.of(failure)));
  }
}
