package dev.halfcell.rest.supervisor;

import dev.halfcell.rest.job.Attempt;
import dev.halfcell.rest.job.Exit;
import dev.halfcell.rest.job.Failure;
import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobAction;
import dev.halfcell.rest.job.JobState;
import dev.halfcell.rest.job.StatusReason;
import dev.halfcell.rest.job.StatusReason.Code;
import dev.halfcell.rest.service.JobFolders;
import dev.halfcell.rest.service.JobLog;
import dev.halfcell.rest.store.Applied;
import dev.halfcell.rest.store.Fence;
import dev.halfcell.rest.store.Transition;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DataException;
import dev.halfcell.zoo.job.JobSpecification;
import dev.halfcell.zoo.run.RunFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What becomes of jobs that lost their worker or their server. */
record Recovery(Ledger ledger, JobFolders folders) {
  /** So many workers in a row may die of a job without having saved anything new. */
  private static final int DEATHS = 3;

  private static final String RETRIES = "\"retries\"";

  /**
   * A held job's server is gone.
   *
   * @return whether it was given back here
   */
  boolean lost(Job job) {
    boolean cancelled = job.state() == JobState.CANCELLING;
    StatusReason reason =
        cancelled
            ? reason(Code.CANCELLED_BY_REQUEST, "cancelled; its server had ended meanwhile")
            : reason(Code.SERVER_LOST, "its server ended without saying so");
    Applied applied = ledger.apply(job.id(), Transition.of(JobAction.LOSE, reason, fence(job)));
    if (applied instanceof Applied.Moved(Job moved, _) && moved.state() == JobState.INTERRUPTED) {
      again(moved);
    }
    return applied instanceof Applied.Moved;
  }

  /** Queues an interrupted job again, or fails it where that does not help. */
  void again(Job job) {
    try {
      decide(job);
    } catch (ArgumentException e) {
      unreadable(job, e.problem().message());
    }
  }

  private void decide(Job job) {
    List<Attempt> deaths = deaths(job);
    long all = job.attempts().stream().filter(Recovery::died).count();
    boolean spent =
        job.resolved().contains(RETRIES)
            && JobSpecification.ofJson(job.resolved())
                .retries()
                .filter(most -> all > most)
                .isPresent();
    Transition transition =
        deaths.size() >= DEATHS || (spent && lastDied(job))
            ? keepDying(job, Math.max(deaths.size(), all))
            : Transition.of(
                JobAction.QUEUE,
                reason(Code.WAITING_FOR_WORKER, "goes on from its last checkpoint"),
                fence(job));
    var _ = ledger.apply(job.id(), transition);
  }

  private Transition keepDying(Job job, long deaths) {
    Optional<Exit> exit = job.attempts().getLast().exit();
    String detail =
        deaths
            + (deaths == 1 ? " worker of it has died" : " workers of it have died")
            + ", the last one: "
            + job.summary().statusReason().message();
    return new Transition(
        JobAction.FAIL,
        reason(Code.WORKERS_KEEP_DYING, detail),
        Optional.of(fence(job)),
        exit,
        Optional.of(
            new Failure(
                "worker",
                detail,
                Optional.empty(),
                job.summary().progress().map(at -> at.step()),
                false,
                true,
                LogTail.of(new JobLog(folders.log(job.id()))))));
  }

  /** A claimed job's specification is none that this version can read. */
  void unreadable(Job job, String why) {
    Failure failure =
        new Failure("argument", why, Optional.empty(), Optional.empty(), false, false, "");
    var _ =
        ledger.apply(
            job.id(),
            new Transition(
                JobAction.FAIL,
                reason(Code.TRAINING_FAILED, why),
                Optional.of(fence(job)),
                Optional.empty(),
                Optional.of(failure)));
  }

  private static boolean lastDied(Job job) {
    return !job.attempts().isEmpty() && died(job.attempts().getLast());
  }

  private static boolean died(Attempt attempt) {
    return attempt.reason().filter(code -> code == Code.WORKER_LOST).isPresent();
  }

  /**
   * The last attempts whose workers died, as long as none of them has saved anything that the next
   * one did not begin with. What ended with its server says nothing and is passed over.
   */
  private List<Attempt> deaths(Job job) {
    List<Attempt> known =
        job.attempts().reversed().stream()
            .filter(attempt -> died(attempt) || attempt.reason().isEmpty())
            .toList();
    long reached = saved(job);
    return known.stream()
        .takeWhile(attempt -> died(attempt) && attempt.fromStep().orElse(reached) >= reached)
        .toList();
  }

  /** The steps that its newest checkpoint holds; 0 where none can be found. */
  private long saved(Job job) {
    Path run = folders.run(job.id());
    try {
      return Files.isDirectory(run)
          ? new RunFolder(run)
              .newestCheckpoint()
              .map(file -> Long.parseLong(String.valueOf(file.getFileName()).replaceAll("\\D", "")))
              .orElse(0L)
          : 0;
    } catch (DataException e) {
      Log.warning("the checkpoints of job " + job.id() + " cannot be listed", e);
      return 0;
    }
  }

  private static Fence fence(Job job) {
    Attempt last = job.attempts().getLast();
    return new Fence(job.id(), last.server(), last.number());
  }

  private static StatusReason reason(Code code, String message) {
    return new StatusReason(code, message, Instant.now());
  }
}
