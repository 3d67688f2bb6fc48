package dev.halfcell.rest.supervisor;

import dev.halfcell.rest.job.Exit;
import dev.halfcell.rest.job.Failure;
import dev.halfcell.rest.job.JobAction;
import dev.halfcell.rest.job.StatusReason.Code;
import dev.halfcell.rest.service.Workers.Stop;
import dev.halfcell.rest.worker.FromWorker.Completed;
import dev.halfcell.rest.worker.FromWorker.End;
import dev.halfcell.rest.worker.FromWorker.Failed;
import dev.halfcell.rest.worker.FromWorker.Stopped;
import dev.halfcell.rest.worker.WorkerProcess;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * How a worker ended, as far as its server knows; and what that means for its job.
 *
 * @param said what the worker itself said
 * @param cut why the server killed it, if it did
 * @param stop why it was told to stop, if it was
 * @param exit how its process ended
 * @param files whether the files of jobs are where the server looks for them
 * @param results whether the files are there that a trained job has
 * @param step the last step that it told of
 * @param resident the most bytes that it was seen to hold
 * @param logTail the end of its log
 */
record WorkerEnd(
    Optional<End> said,
    Optional<Cut> cut,
    Optional<Stop> stop,
    Exit exit,
    boolean files,
    boolean results,
    Optional<Long> step,
    long resident,
    String logTail) {
  private static final double GIB = 1L << 30;
  private static final int SIGKILL = 9;

  /** What becomes of the job; nothing where it is another attempt's. */
  Optional<Verdict> verdict() {
    if (cut.orElse(null) instanceof Cut.Fenced) {
      return Optional.empty();
    }
    return Optional.of(
        said.orElse(null) instanceof Completed && files
            ? completed()
            : stop.map(this::stopped).orElseGet(this::ended));
  }

  /** Whatever was asked meanwhile: it was quicker. */
  private Verdict completed() {
    return results
        ? new Verdict(JobAction.COMPLETE, Code.COMPLETED, "trained to its end")
        : failed(
            Code.TRAINING_FAILED,
            "worker",
            "its worker said that it had completed, and the results are missing",
            true);
  }

  private Verdict stopped(Stop why) {
    return switch (why) {
      case CANCEL -> new Verdict(JobAction.LOSE, Code.CANCELLED_BY_REQUEST, cancelled());
      case TIMEOUT ->
          failed(Code.RUN_TIMEOUT, "deadline", "it ran longer than its timeout. " + state(), false);
      case PAUSE ->
          failure()
              .orElseGet(
                  () -> new Verdict(JobAction.PAUSE, Code.PAUSED_BY_REQUEST, "paused. " + state()));
      case DRAIN -> givenBack(Code.SERVER_STOPPED, "its server ended. ");
      case PREEMPT -> givenBack(Code.PREEMPTED, "a job of a higher priority took its place. ");
    };
  }

  private Verdict givenBack(Code code, String why) {
    return failure().orElseGet(() -> new Verdict(JobAction.LOSE, code, why + state()));
  }

  private String cancelled() {
    return "cancelled. " + state();
  }

  private String state() {
    return said.orElse(null) instanceof Stopped(long steps, String checkpoint)
        ? "Its state after step " + steps + " is saved in " + checkpoint
        : "Its state is that of its last checkpoint";
  }

  private Verdict ended() {
    return failure().orElseGet(this::lost);
  }

  /** What is the job's own fault, or its worker's, whatever it was told. */
  private Optional<Verdict> failure() {
    return Optional.ofNullable(
        switch (cut.orElse(null)) {
          case Cut.TooLarge(long held, long limit) -> tooLarge(held, limit);
          case Cut.Broken(String how) ->
              failed(
                  Code.TRAINING_FAILED,
                  "worker",
                  "its worker broke the protocol between worker and server: " + how,
                  true);
          case Cut.Unstarted(Duration after) ->
              failed(
                  Code.START_TIMEOUT,
                  "deadline",
                  "its worker did not train after " + after.toSeconds() + " s",
                  true);
          case null, default ->
              said.orElse(null) instanceof Failed of && files
                  ? told(of)
                  : exited(WorkerProcess.FULL) ? heapFull() : null;
        });
  }

  private boolean exited(int with) {
    return exit.code().filter(code -> code == with).isPresent();
  }

  private Verdict told(Failed of) {
    return new Verdict(
        JobAction.FAIL,
        of.code(),
        of.detail(),
        Optional.of(
            new Failure(
                of.type(),
                of.detail(),
                of.cell(),
                of.step(),
                of.outOfMemory(),
                of.retryable(),
                logTail)));
  }

  private Verdict tooLarge(long held, long limit) {
    String detail =
        String.format(
            Locale.ROOT,
            "its worker held %.2f GiB (%d bytes), more than its limit of %.2f GiB (%d bytes)."
                + " Take a smaller batch, with accumulation for the same step, a smaller network,"
                + " a level with more half, or a higher resources.memoryLimit.",
            held / GIB,
            held,
            limit / GIB,
            limit);
    return outOfMemory(detail);
  }

  /** That of a worker holds graphs and plans: only its server's options make it larger. */
  private Verdict heapFull() {
    return outOfMemory(
        "its worker ran out of memory: its Java heap was full, and nearly all its time went into"
            + " collecting garbage. Take a network of fewer cells, or start the server with a larger heap for its workers, as"
            + " by HALFCELL_JAVA_OPTS=-Xmx1g.");
  }

  private Verdict outOfMemory(String detail) {
    return new Verdict(
        JobAction.FAIL,
        Code.OUT_OF_MEMORY,
        detail,
        Optional.of(new Failure("memory", detail, Optional.empty(), step, true, false, logTail)));
  }

  private Verdict failed(Code code, String type, String detail, boolean retryable) {
    return new Verdict(
        JobAction.FAIL,
        code,
        detail,
        Optional.of(new Failure(type, detail, Optional.empty(), step, false, retryable, logTail)));
  }

  /**
   * One that could not be started by its machine, that found its job's folder taken, or worked
   * where the files of jobs are not, says nothing of the job: it is no death of its own.
   */
  private Verdict lost() {
    if (cut.orElse(null) instanceof Cut.Unlaunched(LaunchFailure(String why, boolean passes))
        && passes) {
      return new Verdict(
          JobAction.LOSE, Code.SERVER_LOST, "its server could not start a worker: " + why);
    }
    if (!files) {
      return new Verdict(
          JobAction.LOSE,
          Code.SERVER_LOST,
          "the files of jobs were not where its server looks for them; it goes on where they are");
    }
    if (exited(WorkerProcess.BUSY)) {
      return new Verdict(
          JobAction.LOSE,
          Code.SERVER_LOST,
          "a worker of an earlier attempt still has its folder; it is tried again");
    }
    return new Verdict(JobAction.LOSE, Code.WORKER_LOST, how());
  }

  private String how() {
    if (said.orElse(null) instanceof Stopped) {
      return "its worker was told to end by somebody else. " + state();
    }
    return switch (cut.orElse(null)) {
      case Cut.Unlaunched(LaunchFailure of) -> "its worker could not be started: " + of.why();
      case Cut.Lingering(Duration after) ->
          "its worker closed its connection, did not end within "
              + after.toSeconds()
              + " s, and was killed";
      case Cut.Silent(Duration after) ->
          "nothing was heard of its worker for " + after.toSeconds() + " s, and it was killed";
      case null, default -> exit.signal().map(this::signalled).orElseGet(this::exited);
    };
  }

  private String signalled(int signal) {
    return signal == SIGKILL
        ? String.format(
            Locale.ROOT,
            "its worker was killed by signal 9, perhaps by the system because memory ran out; it"
                + " held %.2f GiB when last seen",
            resident / GIB)
        : "its worker was ended by signal " + signal;
  }

  private String exited() {
    return exit.code()
        .map(code -> "its worker ended with exit code " + code + " and said nothing")
        .orElse("its worker was stopped before it was started");
  }
}
