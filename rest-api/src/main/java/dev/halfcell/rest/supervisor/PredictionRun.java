package dev.halfcell.rest.supervisor;

import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.service.RefusedException;
import dev.halfcell.rest.worker.FromWorker;
import dev.halfcell.rest.worker.FromWorker.Failed;
import dev.halfcell.rest.worker.FromWorker.Predicted;
import dev.halfcell.rest.worker.ProtocolException;
import dev.halfcell.rest.worker.ToWorker.Predict;
import dev.halfcell.rest.worker.Wire;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * One run of a model, from the start of its process to its end. The thread that asks starts it,
 * hears it and waits for it; others may end it.
 */
final class PredictionRun {
  private static final String INPUTS = "/inputs";

  private final JobId job;
  private final int number;
  private final Predict asked;
  private final long bytes;
  private final WorkerHouse house;
  private final Duration deadline;
  private final WorkerControl control;
  private Optional<FromWorker> answer = Optional.empty();

  /**
   * One that is not started yet.
   *
   * @param number by which its process is known, as a worker by that of its attempt
   * @param bytes what its process will hold, as estimated
   * @param deadline what it has for everything
   */
  PredictionRun(
      JobId job, int number, Predict asked, long bytes, WorkerHouse house, Duration deadline) {
    this.job = job;
    this.number = number;
    this.asked = asked;
    this.bytes = bytes;
    this.house = house;
    this.deadline = deadline;
    this.control =
        new WorkerControl(WorkerBounds.ofPrediction(bytes, deadline, house.settings()), house);
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
  Predicted run() {
    WorkerSocket.Expected worker = house.socket().expect(job.text(), number);
    try {
      Optional<Process> process =
          control.launch(() -> house.launcher().startPrediction(job, number, worker.secret()));
      return process.isPresent() ? said(process.get(), worker) : nothing("was not started");
    } finally {
      house.socket().forget(worker);
    }
  }

  private Predicted said(Process process, WorkerSocket.Expected worker) {
    OutputTail output = OutputTail.of(process);
    var _ = process.onExit().thenRun(() -> house.socket().forget(worker));
    int code;
    try {
      worker.wire().join().ifPresent(this::converse);
    } finally {
      code = control.awaitExit(process);
    }
    return switch (answer.orElse(null)) {
      case Predicted all -> all;
      case Failed why -> failed(why, output);
      case null, default -> {
        if (!(control.why().orElse(null) instanceof Cut.Unstopped)) {
          Log.warning("a prediction of job " + job + " ended with " + code + "\n" + output.text());
        }
        yield nothing(
            code > 128 ? "was ended by signal " + (code - 128) : "ended with exit code " + code);
      }
    };
  }

  private void converse(Wire wire) {
    try (wire) {
      control.connected(wire);
      wire.send(asked);
      answer = wire.fromWorker();
      if (answer.isPresent()) {
        requireDue(answer.get());
        end(); // It has said all that it will say.
      }
    } catch (ProtocolException e) {
      control.cut(new Cut.Broken(String.valueOf(e.getMessage())));
    } catch (IOException e) {
      if (control.why().isEmpty()) {
        Log.warning("the connection to a prediction of job " + job + " broke", e);
      }
    } finally {
      control.disconnected();
    }
  }

  private void requireDue(FromWorker said) throws ProtocolException {
    boolean due =
        switch (said) {
          case Predicted all -> all.predictions().size() == asked.sizes().getFirst();
          case Failed _ -> true;
          default -> false;
        };
    if (!due) {
      answer = Optional.empty();
      throw new ProtocolException("predictions of all samples were due, or why there are none");
    }
  }

  private Predicted failed(Failed why, OutputTail output) {
    throw switch (why.type()) {
      case "memory" -> RefusedException.unavailable(why.detail());
      case "non-finite" -> RefusedException.invalid(INPUTS, why.detail());
      case "argument", "data" -> RefusedException.conflict(why.detail());
      default -> {
        Log.warning("a prediction of job " + job + " failed\n" + output.text());
        yield new IllegalStateException("the model of job " + job + " failed: " + why.detail());
      }
    };
  }

  private Predicted nothing(String ending) {
    throw switch (control.why().orElse(null)) {
      case Cut.Unstarted _, Cut.Silent _ ->
          RefusedException.unavailable(
              "It took longer than " + deadline.toSeconds() + " s and was ended.");
      case Cut.TooLarge(long held, long limit) ->
          RefusedException.invalid(
              INPUTS,
              "Its process held " + held + " bytes, more than its " + limit + "; send fewer.");
      case Cut.Unstopped _ -> RefusedException.unavailable("It was ended before its answer.");
      case Cut.Broken(String how) ->
          new IllegalStateException("a prediction of job " + job + " broke the protocol: " + how);
      case null, default -> RefusedException.unavailable("Its process " + ending + ".");
    };
  }
}
