package dev.halfcell.rest.supervisor;

import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.service.RefusedException;
import dev.halfcell.rest.worker.FromWorker.Result;
import dev.halfcell.rest.worker.ToWorker.Diagnose;
import dev.halfcell.rest.worker.ToWorker.Predict;
import dev.halfcell.rest.worker.ToWorker.Task;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/** The tasks that are done now. Threads may share it. */
final class TaskRuns {
  /** What a prediction has, from the start of its process to the end of it. */
  private static final Duration PREDICTION = Duration.ofSeconds(30);

  /** What a step has that is run again: its batch may be a whole one, and nothing is compiled. */
  private static final Duration DIAGNOSIS = Duration.ofMinutes(2);

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final WorkerHouse house;
  private final LongSupplier free;
  private final Set<TaskRun<?>> runs = new LinkedHashSet<>();
  private int begun;
  private boolean draining;

  /**
   * None yet.
   *
   * @param free the memory that no worker holds
   */
  TaskRuns(WorkerHouse house, LongSupplier free) {
    this.house = house;
    this.free = free;
  }

  /** Has a task done, and returns when its process is gone. */
  <R extends Result> R perform(JobId job, Task<R> asked, long bytes, CompletionStage<Void> left) {
    TaskRun<R> run = begin(job, asked, bytes);
    try {
      var _ = left.thenRunAsync(run::end, Thread::startVirtualThread);
      return run.run();
    } finally {
      ended(run);
    }
  }

  private synchronized <R extends Result> TaskRun<R> begin(JobId job, Task<R> asked, long bytes) {
    if (draining) {
      throw RefusedException.unavailable("The server ends; ask the next one.");
    }
    long left = free.getAsLong();
    if (bytes > left) {
      throw RefusedException.unavailable(
          "It needs " + bytes + " bytes; the workers leave " + Math.max(0, left) + ".");
    }
    // Numbers of attempts are above 0: a task is never taken for one.
    begun++;
    TaskRun<R> run = new TaskRun<>(job, -begun, asked, bytes, house, deadline(asked));
    runs.add(run);
    return run;
  }

  /** Never more than a worker has to begin in. */
  private Duration deadline(Task<?> asked) {
    Duration start = house.settings().timing().start();
    Duration usual =
        switch (asked) {
          case Predict _ -> PREDICTION;
          case Diagnose _ -> DIAGNOSIS;
        };
    return start.compareTo(usual) < 0 ? start : usual;
  }

  private synchronized void ended(TaskRun<?> run) {
    runs.remove(run);
    notifyAll();
  }

  /** What all of them hold, as estimated. */
  synchronized long bytes() {
    return runs.stream().mapToLong(TaskRun::bytes).sum();
  }

  /** Looks at each process, and does what is due. */
  void look() {
    all().forEach(run -> run.control().look());
  }

  private synchronized List<TaskRun<?>> all() {
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
    all().forEach(TaskRun::end);
    awaitNone(System.nanoTime() + PATIENCE.toNanos());
  }

  private void awaitNone(long until) {
    Waits.until(this, runs::isEmpty, until);
  }
}
