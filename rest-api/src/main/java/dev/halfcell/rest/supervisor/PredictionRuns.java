package dev.halfcell.rest.supervisor;

import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.service.RefusedException;
import dev.halfcell.rest.worker.FromWorker.Predicted;
import dev.halfcell.rest.worker.ToWorker.Predict;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/** The models that run now. Threads may share it. */
final class PredictionRuns {
  /** What each has, from the start of its process to the end of it. */
  static final Duration DEADLINE = Duration.ofSeconds(30);

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final WorkerHouse house;
  private final LongSupplier free;
  private final Set<PredictionRun> runs = new LinkedHashSet<>();
  private int begun;
  private boolean draining;

  /**
   * None yet.
   *
   * @param free the memory that no worker holds
   */
  PredictionRuns(WorkerHouse house, LongSupplier free) {
    this.house = house;
    this.free = free;
  }

  /** Runs a model, and returns when its process is gone. */
  Predicted predict(JobId job, Predict asked, long bytes, CompletionStage<Void> left) {
    PredictionRun run = begin(job, asked, bytes);
    try {
      var _ = left.thenRunAsync(run::end, Thread::startVirtualThread);
      return run.run();
    } finally {
      ended(run);
    }
  }

  private synchronized PredictionRun begin(JobId job, Predict asked, long bytes) {
    if (draining) {
      throw RefusedException.unavailable("The server ends; ask the next one.");
    }
    long left = free.getAsLong();
    if (bytes > left) {
      throw RefusedException.unavailable(
          "It needs " + bytes + " bytes; the workers leave " + Math.max(0, left) + ".");
    }
    // Numbers of attempts are above 0: a prediction is never taken for one.
    begun++;
    PredictionRun run = new PredictionRun(job, -begun, asked, bytes, house, deadline());
    runs.add(run);
    return run;
  }

  /** Never more than a worker has to begin in. */
  private Duration deadline() {
    Duration start = house.settings().timing().start();
    return start.compareTo(DEADLINE) < 0 ? start : DEADLINE;
  }

  private synchronized void ended(PredictionRun run) {
    runs.remove(run);
    notifyAll();
  }

  /** What all of them hold, as estimated. */
  synchronized long bytes() {
    return runs.stream().mapToLong(PredictionRun::bytes).sum();
  }

  /** Looks at each process, and does what is due. */
  void look() {
    all().forEach(run -> run.control().look());
  }

  private synchronized List<PredictionRun> all() {
    return List.copyOf(runs);
  }

  /** From now on none begins. */
  synchronized void drain() {
    draining = true;
  }

  /**
   * Returns when none runs.
   *
   * @param until when those that still run are ended
   */
  void end(long until) {
    awaitNone(until);
    all().forEach(PredictionRun::end);
    awaitNone(System.nanoTime() + PATIENCE.toNanos());
  }

  private void awaitNone(long until) {
    Waits.until(this, runs::isEmpty, until);
  }
}
