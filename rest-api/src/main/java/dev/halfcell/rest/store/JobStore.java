package dev.halfcell.rest.store;

import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobEvent;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.JobSummary;
import dev.halfcell.rest.job.Origin;
import dev.halfcell.rest.job.StatusReason;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps jobs, their attempts and events. What a method has returned from lies on the disk. Each
 * method is one transaction, blocks, and may be called from any thread.
 *
 * <p>Every method throws {@link StoreException} where the store cannot be read or written.
 */
public interface JobStore extends AutoCloseable {
  /** Takes a job into the queue, or says why not. */
  Acceptance accept(NewJob job, AcceptLimits limits);

  /**
   * Takes all of these jobs of one owner into the queue, or none of them.
   *
   * @return what came of each, in their order; where one of them is refused, its refusal alone
   */
  List<Acceptance> acceptAll(List<NewJob> jobs, AcceptLimits limits);

  /** A job, whole. */
  Optional<Job> find(JobId id);

  /**
   * The same where it is known without asking the database: it was found before, and nothing was
   * written since. This alone does not block.
   */
  Optional<Job> known(JobId id);

  /** The job that was accepted with this key in the last 24 hours. */
  Optional<JobId> keyed(String owner, String idempotencyKey);

  /** The newest job that goes on from there and has neither failed nor been cancelled. */
  Optional<Job> successor(Origin from);

  /** A page of jobs. */
  JobPage list(JobQuery query);

  /** How many jobs there are in each state, by the state's name. */
  Map<String, Long> counts();

  /** Changes what people say of a job; none where there is no such job. */
  Optional<Job> describe(JobId id, DescriptionChange change);

  /**
   * Does to a job what {@link dev.halfcell.rest.job.JobState#next} says, with an event of kind
   * {@code STATE} where it moved. What was asked to wait before its worker was lost is {@code
   * PAUSED} then.
   */
  Applied apply(JobId id, Transition transition);

  /**
   * Takes the job that is next in the queue for a server: the highest priority first, then the
   * owner with the fewest held jobs, then the oldest. It moves to {@code STARTING} with a new
   * attempt. Where what is next needs more memory than is free, nothing is taken, and it says so.
   * What needs more than the server has at all is passed over, and says so too.
   *
   * @return the job with its new attempt, and the event of its move
   */
  Optional<Applied.Moved> claim(Claim claim);

  /**
   * The job that is next in the queue for a server, where its priority is above this one.
   *
   * @param totalBytes all memory that the server has for workers
   */
  Optional<JobSummary> waitingAbove(int priority, long totalBytes);

  /**
   * Tells a job of the queue that room is made for it, unless it was told so in the last minute: by
   * another server, which is at it.
   *
   * @return whether it was told now
   */
  boolean tellOfRoom(JobId id, StatusReason reason);

  /** The jobs of the queue as they would be taken if all that run now ran on. */
  List<JobId> queue();

  /** Whether other servers may take jobs from it too. */
  boolean shared();

  /** Lengthens a server's hold on all its jobs. */
  void renew(String server, Instant leaseUntil);

  /**
   * The held jobs whose server is dead: those of {@code server} itself, which has just started, and
   * those whose lease is over.
   */
  List<JobSummary> abandoned(String server, Instant now);

  /** The jobs that have stood in the queue for longer than their {@code queueTimeout}. */
  List<Job> overdue(Instant now);

  /** The jobs that were interrupted and are not in the queue again, oldest first. */
  List<Job> interrupted();

  /**
   * Keeps what a worker tells.
   *
   * @return the events as they were numbered; none where the fence is not that of the attempt at
   *     hand any more
   */
  Optional<List<JobEvent>> report(Fence fence, Report report);

  /** Events of a job behind a number, in their order; empty where there are none yet. */
  List<JobEvent> events(JobId id, long after, int limit);

  /** The number of the oldest event that is still kept, 1 where none was dropped. */
  long oldestEvent(JobId id);

  /**
   * Deletes a job that is over, and that no job goes on from which is not over, with its events.
   *
   * @return whether it was there and all of that
   */
  boolean delete(JobId id);

  /**
   * The same where it is not pinned.
   *
   * @return whether it was there and all of that
   */
  boolean deleteUnpinned(JobId id);

  /**
   * Keeps a text for good under a name that has none yet.
   *
   * @return what is kept under it now: this text, or the one that came first
   */
  String keep(String name, String text);

  @Override
  void close();
}
