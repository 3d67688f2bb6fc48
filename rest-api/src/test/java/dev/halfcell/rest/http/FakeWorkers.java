package dev.halfcell.rest.http;

import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.service.RunningWorkers;
import dev.halfcell.rest.service.WorkerFigures;
import dev.halfcell.rest.worker.FromWorker.Result;
import dev.halfcell.rest.worker.ToWorker.Task;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;

/** Workers that do nothing but remember what they were told. */
final class FakeWorkers implements RunningWorkers {
  private final List<String> told = new CopyOnWriteArrayList<>();
  private volatile Runner runner =
      (_, _, _, _) -> {
        throw new AssertionError("no task was expected");
      };

  /** Does tasks in the place of processes. */
  @FunctionalInterface
  interface Runner {
    /** What comes of one. */
    Result perform(JobId job, Task<?> asked, long bytes, CompletionStage<Void> left);
  }

  private volatile Runnable whileDraining = () -> {};
  private volatile boolean ready = true;

  /** What happens while the server ends and still answers. */
  void whileDraining(Runnable what) {
    whileDraining = what;
  }

  List<String> told() {
    return told;
  }

  @Override
  public void queueChanged() {
    told.add("queue");
  }

  @Override
  public void stop(JobId job, Stop why) {
    told.add(why + " " + job);
  }

  /** Has tasks done so. */
  void perform(Runner by) {
    runner = by;
  }

  @Override
  public <R extends Result> R perform(
      JobId job, Task<R> asked, long bytes, CompletionStage<Void> left) {
    return asked.due(runner.perform(job, asked, bytes, left)).orElseThrow();
  }

  /** Whether they begin jobs. */
  void ready(boolean now) {
    ready = now;
  }

  @Override
  public boolean ready() {
    return ready;
  }

  /** Literal, for those who read them. */
  @Override
  public WorkerFigures figures() {
    return new WorkerFigures(2, 3L << 30, 5);
  }

  @Override
  public void drain(Duration atMost) {
    told.add("drain");
    Runnable what = whileDraining;
    whileDraining = () -> {};
    what.run();
  }

  @Override
  public void close() {}
}
