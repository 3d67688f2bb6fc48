package dev.halfcell.rest.supervisor;

import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobEvent;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.service.EventHub;
import dev.halfcell.rest.store.Applied;
import dev.halfcell.rest.store.Claim;
import dev.halfcell.rest.store.Fence;
import dev.halfcell.rest.store.JobStore;
import dev.halfcell.rest.store.Report;
import dev.halfcell.rest.store.Transition;
import java.util.List;
import java.util.Optional;

/** Writes what happens into the store, and then tells who follows it. Threads may share it. */
record Ledger(JobStore store, EventHub hub) {
  /** Moves a job. */
  Applied apply(JobId job, Transition transition) {
    Applied applied = store.apply(job, transition);
    if (applied instanceof Applied.Moved moved) {
      hub.publish(job, List.of(moved.event()));
    }
    return applied;
  }

  /** Takes the next job of the queue, where there is one that fits. */
  Optional<Job> claim(Claim claim) {
    Optional<Applied.Moved> claimed = store.claim(claim);
    claimed.ifPresent(moved -> hub.publish(moved.job().id(), List.of(moved.event())));
    return claimed.map(Applied.Moved::job);
  }

  /** Keeps what a worker tells; whether its attempt is still the one at hand. */
  boolean report(Fence fence, Report report) {
    Optional<List<JobEvent>> events = store.report(fence, report);
    events.ifPresent(each -> hub.publish(fence.job(), each));
    return events.isPresent();
  }
}
