package dev.halfcell.rest.service;

import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobAction;
import dev.halfcell.rest.job.JobEvent;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.JobState;
import dev.halfcell.rest.job.Move;
import dev.halfcell.rest.job.Origin;
import dev.halfcell.rest.job.StatusReason;
import dev.halfcell.rest.job.StatusReason.Code;
import dev.halfcell.rest.store.Applied;
import dev.halfcell.rest.store.DescriptionChange;
import dev.halfcell.rest.store.JobPage;
import dev.halfcell.rest.store.JobQuery;
import dev.halfcell.rest.store.JobStore;
import dev.halfcell.rest.store.Transition;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What can be done with jobs that are there. A job of another owner is not there. Every method but
 * one may block; threads may share it.
 */
public final class JobService {
  private final JobStore store;
  private final Workers workers;
  private final EventHub hub;
  private final JobDeletion deletion;
  private final Clock clock;

  /** Over the jobs of a store. */
  public JobService(
      JobStore store, Workers workers, EventHub hub, JobFolders folders, Clock clock) {
    this.store = store;
    this.workers = workers;
    this.hub = hub;
    this.deletion = new JobDeletion(store, folders);
    this.clock = clock;
  }

  /** A job, whole. */
  public Job find(Caller caller, String id) {
    return JobId.parse(id)
        .flatMap(known -> seen(caller, known))
        .orElseThrow(() -> RefusedException.missing("job"));
  }

  /** The same; none where it is not there. */
  public Optional<Job> seen(Caller caller, JobId id) {
    return store.find(id).filter(job -> caller.sees(job.summary()));
  }

  /** The same where it is known without asking the store. This alone does not block. */
  public Optional<Job> known(Caller caller, String id) {
    return JobId.parse(id).flatMap(store::known).filter(job -> caller.sees(job.summary()));
  }

  /** A page of jobs. */
  public JobPage list(JobQuery query) {
    return store.list(query);
  }

  /** The job that goes on from there, unless it is dead. */
  Optional<Job> successor(Origin from) {
    return store.successor(from);
  }

  /** Changes what is said of a job; one of a comparison stays in it. */
  public Job describe(Caller caller, String id, DescriptionChange change) {
    Job job = find(caller, id);
    Job changed =
        store
            .describe(job.id(), Comparisons.staying(job, change))
            .orElseThrow(() -> RefusedException.missing("job"));
    if (change.priority().isPresent()) {
      workers.queueChanged();
    }
    return changed;
  }

  /** Deletes a job that is over, and all its files. */
  public void delete(Caller caller, String id) {
    Job job = find(caller, id);
    if (deletion.delete(job.id(), store::delete).isEmpty()) {
      throw RefusedException.conflict(
          job.state().terminal()
              ? "A job that is not over goes on from this one; cancel it, or wait for its end."
              : "The job is " + job.state() + "; cancel it first.");
    }
  }

  /** Ends a job; one that is over stays as it is. */
  public Job cancel(Caller caller, String id) {
    Job job = find(caller, id);
    if (job.state().terminal()) {
      return job;
    }
    Job asked = apply(job, JobAction.ASK_CANCEL);
    if (asked.state().held()) {
      workers.stop(asked.id(), Workers.Stop.CANCEL);
    } else {
      workers.queueChanged();
    }
    return asked;
  }

  /** Lets a job wait. */
  public Job pause(Caller caller, String id) {
    Job asked = apply(find(caller, id), JobAction.ASK_PAUSE);
    if (asked.state().held()) {
      workers.stop(asked.id(), Workers.Stop.PAUSE);
    } else {
      workers.queueChanged();
    }
    return asked;
  }

  /** Puts a paused job into the queue again. */
  Job queue(Job job) {
    Job queued = apply(job, JobAction.QUEUE);
    workers.queueChanged();
    return queued;
  }

  /** The reason is that of the state which the job gets to, even where it moved meanwhile. */
  private Job apply(Job seen, JobAction action) {
    JobState before = seen.state();
    while (true) {
      Applied applied = store.apply(seen.id(), Transition.of(action, reason(before, action)));
      switch (applied) {
        case Applied.Missing() -> throw RefusedException.missing("job");
        case Applied.Fenced(Job job) -> throw refused(job, action);
        case Applied.Refused(Job job) -> throw refused(job, action);
        case Applied.Stayed(Job job) -> {
          if (job.state() == before || job.state().terminal()) {
            return job;
          }
          before = job.state();
        }
        case Applied.Moved(Job job, JobEvent event) -> {
          hub.publish(job.id(), List.of(event));
          if (job.state() == after(before, action)) {
            return job;
          }
          before = job.state();
        }
      }
    }
  }

  private static RefusedException refused(Job job, JobAction action) {
    String done =
        switch (action) {
          case ASK_CANCEL -> "cancelled";
          case ASK_PAUSE -> "paused";
          default -> "resumed";
        };
    return RefusedException.conflict("The job is " + job.state() + " and cannot be " + done + ".");
  }

  private static JobState after(JobState state, JobAction action) {
    return state.next(action) instanceof Move.To(JobState to) ? to : state;
  }

  private StatusReason reason(JobState before, JobAction action) {
    JobState after = after(before, action);
    return switch (action) {
      case ASK_CANCEL ->
          after == JobState.CANCELLED
              ? reason(Code.CANCELLED_BY_REQUEST, "It was cancelled before it ran on.")
              : reason(Code.CANCELLING, "Its worker was told to save its state and end.");
      case ASK_PAUSE ->
          after.held()
              ? reason(Code.PAUSING, "Its worker was told to save its state and end.")
              : reason(Code.PAUSED_BY_REQUEST, "It waits until it is resumed.");
      default -> reason(Code.WAITING_FOR_WORKER, "It waits for a worker.");
    };
  }

  private StatusReason reason(Code code, String message) {
    return new StatusReason(code, message, clock.instant());
  }

  /**
   * The job once it is as it is waited for, or as it is when the time is over. A server that shares
   * its store does not hear of all that happens, so the store is asked again and again.
   */
  public Job await(Job job, Predicate<JobState> wanted, Duration most) {
    Changes changes = new Changes();
    try (EventHub.Subscription _ = hub.follow(job.id(), changes)) {
      long end = System.nanoTime() + most.toNanos();
      Job now = store.find(job.id()).orElse(job);
      while (!wanted.test(now.state()) && System.nanoTime() < end) {
        changes.await(Duration.ofNanos(end - System.nanoTime()));
        now = store.find(job.id()).orElse(now);
      }
      return now;
    }
  }
}
