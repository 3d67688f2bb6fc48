package dev.halfcell.rest.worker;

import dev.halfcell.disk.Disk;
import dev.halfcell.rest.job.StatusReason.Code;
import dev.halfcell.rest.worker.FromWorker.Completed;
import dev.halfcell.rest.worker.FromWorker.End;
import dev.halfcell.rest.worker.FromWorker.Failed;
import dev.halfcell.rest.worker.FromWorker.Stopped;
import dev.halfcell.rest.worker.ToWorker.Begin;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.train.TrainEvent;
import dev.halfcell.train.TrainListener;
import dev.halfcell.zoo.job.JobSpecification;
import dev.halfcell.zoo.run.Ending;
import dev.halfcell.zoo.run.Resumption;
import dev.halfcell.zoo.run.RunFolder;
import dev.halfcell.zoo.run.RunPlace;
import dev.halfcell.zoo.run.RunSummary;
import dev.halfcell.zoo.run.TrainingRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/** The training of a job, as {@code halfcell train} does it. One thread. */
final class WorkerTraining {
  private final Begin begin;
  private final TrainingNews news;
  private final TrainingLog log = new TrainingLog(JobLog::info);
  private final LongConsumer began;
  private final BooleanSupplier stop;
  private final Path folder;
  private Optional<String> data;
  private boolean restoring;

  /**
   * One that has not begun.
   *
   * @param began is told the steps behind it when its run is open and restored
   * @param stop whether it is to save its state and end
   */
  WorkerTraining(Begin begin, TrainingNews news, LongConsumer began, BooleanSupplier stop) {
    this.begin = begin;
    this.news = news;
    this.began = began;
    this.stop = stop;
    this.folder = Path.of(begin.run());
    this.data = begin.data();
  }

  /** Trains to an end. */
  End run() {
    try {
      End end = told(train());
      log.ends(end);
      return end;
    } catch (FolderBusyException e) {
      throw e;
    } catch (RuntimeException | Error thrown) {
      JobLog.error("the training failed", thrown);
      return new Failures(folder, data).of(thrown, restoring, news.steps());
    }
  }

  private Ending train() {
    restoring = true;
    if (!written()) {
      requireNoRunBefore();
      begin.origin().ifPresent(this::copy);
    }
    return written() ? resume(new RunFolder(folder)) : begin();
  }

  private void copy(ToWorker.Source source) {
    new RunCopy(Disk.local(), Path.of(source.run()), source.checkpoint()).to(folder);
  }

  private boolean written() {
    return Files.exists(folder.resolve("specification.json"));
  }

  /** Its specification is the first that a run leaves: nothing is trained anew unasked. */
  private void requireNoRunBefore() {
    if (begin.begun() || new RunFolder(folder).newestCheckpoint().isPresent()) {
      throw new DataException(
          new Problem(
              "resume",
              "specification.json",
              "what an earlier attempt at the job has written",
              Files.isDirectory(folder) ? "a folder without it" : "no folder of the job's run",
              "Restore the job's folder from a copy, or submit it again."));
    }
  }

  private Ending begin() {
    restoring = false;
    JobSpecification specification = JobSpecification.ofJson(begin.specification());
    data = dataOfServer(specification);
    try (TrainingRun run = TrainingRun.open(specification, data)) {
      restoring = true;
      RunFolder to = RunFolder.at(folder);
      restoring = false;
      return FolderBusyException.unlessBusy(() -> run.train(to, beginning(run), stop));
    }
  }

  private Ending resume(RunFolder from) {
    JobSpecification specification = from.specification();
    data = dataOfServer(specification).or(() -> dataOf(from.place()));
    restoring = false;
    try (TrainingRun run = TrainingRun.open(specification, data)) {
      restoring = true;
      Resumption resumption = FolderBusyException.unlessBusy(() -> run.restore(from));
      restoring = false;
      resumption.lines().forEach(this::said);
      begins(run, resumption.steps(), resumption.lastStep());
      return run.goOn(resumption, this::heard, stop);
    }
  }

  /** The server's data is of no use to a job whose data is made. */
  private Optional<String> dataOfServer(JobSpecification specification) {
    return begin.data().filter(_ -> !specification.dataset().isSynthetic());
  }

  /** That of the run, where the server has none for all. */
  private Optional<String> dataOf(RunPlace place) {
    place.notice().ifPresent(this::said);
    return place.choice();
  }

  private void said(String line) {
    JobLog.info(line);
    news.notice(line);
  }

  /** By the first event that the training tells of, its run is on the disk. */
  private TrainListener beginning(TrainingRun run) {
    AtomicBoolean begins = new AtomicBoolean(true);
    return event -> {
      if (begins.getAndSet(false)) {
        begins(run, 0, 0);
      }
      heard(event);
    };
  }

  private void heard(TrainEvent event) {
    news.on(event);
    log.on(event);
  }

  private void begins(TrainingRun run, long behind, long last) {
    log.begins(last);
    news.begins(run.settings().length(), behind);
    began.accept(behind);
  }

  private End told(Ending ending) {
    return switch (ending) {
      case Ending.Completed(RunSummary summary) -> completed(summary);
      case Ending.Interrupted(int steps, Path checkpoint) ->
          new Stopped(steps, Objects.requireNonNull(checkpoint.getFileName()).toString());
    };
  }

  private End completed(RunSummary summary) {
    news.tested(summary.test());
    int steps = summary.totals().steps();
    return Double.isFinite(summary.totals().lastEpochLoss())
        ? new Completed(steps)
        : new Failed(
            Code.TRAINING_FAILED,
            "non-finite",
            "no step of the last epoch had a finite loss. Lower"
                + " training.optimizer.learningRate, or take another precision.lossScale or"
                + " precision.level.",
            Optional.empty(),
            Optional.of((long) steps),
            false,
            false);
  }

  /** Another process has the folder, for longer than one that is about to end. */
  static final class FolderBusyException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final String SUBJECT = "run"; // that of the lock's own problem
    private static final int TRIES = 50;
    private static final long PAUSE = 200;

    private FolderBusyException(ArgumentException why) {
      super(why);
    }

    /** A worker whose server died may need a moment to end: its folder is waited for. */
    static <T> T unlessBusy(java.util.function.Supplier<T> taking) {
      for (int left = TRIES; ; left--) {
        try {
          return taking.get();
        } catch (ArgumentException e) {
          if (!e.problem().subject().equals(SUBJECT)) {
            throw e;
          }
          if (left == 0) {
            throw new FolderBusyException(e);
          }
          pause();
        }
      }
    }

    private static void pause() {
      try {
        Thread.sleep(PAUSE);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("nobody interrupts a worker's training", e);
      }
    }
  }
}
