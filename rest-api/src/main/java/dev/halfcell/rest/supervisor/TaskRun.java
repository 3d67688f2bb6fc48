package dev.halfcell.rest.supervisor;

import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.service.RefusedException;
import dev.halfcell.rest.worker.FromWorker;
import dev.halfcell.rest.worker.FromWorker.Failed;
import dev.halfcell.rest.worker.FromWorker.Result;
import dev.halfcell.rest.worker.ProtocolException;
import dev.halfcell.rest.worker.ToWorker.Diagnose;
import dev.halfcell.rest.worker.ToWorker.Predict;
import dev.halfcell.rest.worker.ToWorker.Task;
import dev.halfcell.rest.worker.Wire;
import dev.halfcell.rest.worker.WorkerProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * One task, from the start of its process to its end. The thread that asks starts it, hears it and
 * waits for it; others may end it.
 *
 * @param <R> what it comes to
 */
final class TaskRun<R extends Result> {
  private static final String INPUTS = "/inputs";

  private final JobId job;
  private final int number;
  private final Task<R> asked;
  private final long bytes;
  private final WorkerHouse house;
  private final Duration deadline;
  private final WorkerControl control;
  private Optional<R> result = Optional.empty();
  private Optional<Failed> failure = Optional.empty();

  /**
   * One that is not started yet.
   *
   * @param number by which its process is known, as a worker by that of its attempt
   * @param bytes what its process will hold, as estimated
   * @param deadline what it has for everything
   */
  TaskRun(JobId job, int number, Task<R> asked, long bytes, WorkerHouse house, Duration deadline) {
    this.job = job;
    this.number = number;
    this.asked = asked;
    this.bytes = bytes;
    this.house = house;
    this.deadline = deadline;
    this.control = new WorkerControl(WorkerBounds.ofTask(bytes, deadline, house.settings()), house);
  }

  long bytes() {
    return bytes;
  }

  /** By which it is watched. */
  WorkerControl control() {
    return control;
  }

  /** Ends it: nobody waits for it any more. */
  void end() {
    control.cut(new Cut.Unstopped());
  }

  /** Runs it; returns or throws when its process is gone. */
  R run() {
    WorkerSocket.Expected worker = house.socket().expect(job.text(), number);
    try {
      Optional<Process> process =
          control.launch(() -> house.launcher().startTask(job, number, worker.secret()));
      return process.isPresent() ? said(process.get(), worker) : nothing("was not started");
    } finally {
      house.socket().forget(worker);
    }
  }

  private R said(Process process, WorkerSocket.Expected worker) {
    OutputTail output = OutputTail.of(process);
    var _ = process.onExit().thenRun(() -> house.socket().forget(worker));
    int code;
    try {
      worker.wire().join().ifPresent(this::converse);
    } finally {
      code = control.awaitExit(process);
    }
    if (result.isPresent()) {
      return result.get();
    }
    if (failure.isPresent()) {
      return failed(failure.get(), output);
    }
    if (!(control.why().orElse(null) instanceof Cut.Unstopped)) {
      Log.warning(name() + " ended with " + code + "\n" + output.text());
    }
    return nothing(ending(code));
  }

  private static String ending(int code) {
    if (code == WorkerProcess.FULL) {
      return "had too small a Java heap; its server's HALFCELL_JAVA_OPTS make it larger";
    }
    return code > 128 ? "was ended by signal " + (code - 128) : "ended with exit code " + code;
  }

  private String name() {
    String kind =
        switch (asked) {
          case Predict _ -> "a prediction";
          case Diagnose _ -> "a diagnosis";
        };
    return kind + " of job " + job;
  }

  private void converse(Wire wire) {
    try (wire) {
      control.connected(wire);
      wire.send(asked);
      Optional<FromWorker> answer = wire.fromWorker();
      if (answer.isPresent()) {
        take(answer.get());
        end(); // It has said all that it will say.
      }
    } catch (ProtocolException e) {
      control.cut(new Cut.Broken(String.valueOf(e.getMessage())));
    } catch (IOException e) {
      if (control.why().isEmpty()) {
        Log.warning("the connection to " + name() + " broke", e);
      }
    } finally {
      control.disconnected();
    }
  }

  private void take(FromWorker said) throws ProtocolException {
    result = asked.due(said);
    failure = said instanceof Failed why ? Optional.of(why) : Optional.empty();
    if (result.isEmpty() && failure.isEmpty()) {
      throw new ProtocolException("a result of all that was asked was due, or why there is none");
    }
  }

  private R failed(Failed why, OutputTail output) {
    throw switch (why.type()) {
      case "memory" -> RefusedException.unavailable(why.detail());
      case "non-finite" -> refused(why.detail());
      case "argument", "data" -> RefusedException.conflict(why.detail());
      default -> {
        Log.warning(name() + " failed\n" + output.text());
        yield new IllegalStateException(name() + " failed: " + why.detail());
      }
    };
  }

  private R nothing(String ending) {
    throw switch (control.why().orElse(null)) {
      case Cut.Unstarted _, Cut.Silent _ ->
          RefusedException.unavailable(
              "It took longer than " + deadline.toSeconds() + " s and was ended.");
      case Cut.TooLarge(long held, long limit) ->
          refused("Its process held " + held + " bytes, more than its " + limit + advice());
      case Cut.Unstopped _ -> RefusedException.unavailable("It was ended before its answer.");
      case Cut.Broken(String how) ->
          new IllegalStateException(name() + " broke the protocol: " + how);
      case null, default -> RefusedException.unavailable("Its process " + ending + ".");
    };
  }

  private String advice() {
    return switch (asked) {
      case Predict _ -> "; send fewer.";
      case Diagnose _ -> ".";
    };
  }

  /** What was asked cannot be done: by the samples where some were sent, else by the job itself. */
  private RefusedException refused(String detail) {
    return switch (asked) {
      case Predict _ -> RefusedException.invalid(INPUTS, detail);
      case Diagnose _ -> RefusedException.conflict(detail);
    };
  }
}
