package dev.halfcell.zoo.run;

import dev.halfcell.train.TrainListener;
import dev.halfcell.zoo.job.LogFormat;
import dev.halfcell.zoo.log.CsvLog;
import dev.halfcell.zoo.log.StepLog;
import dev.halfcell.zoo.log.TensorBoardLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The files of a run that hold something of each step: its metrics, and what else is asked for. One
 * thread.
 */
final class RunLogs implements AutoCloseable {
  private final MetricsFile metrics;
  private final List<StepLog> all = new ArrayList<>();

  private RunLogs(MetricsFile metrics) {
    this.metrics = metrics;
    all.add(metrics);
  }

  /**
   * Opens them in a folder.
   *
   * @param from where the run goes on: nothing is then left of later steps
   */
  static RunLogs open(RunFolder folder, List<LogFormat> formats, Optional<Resumption> from) {
    RunLogs logs = new RunLogs(from.map(Resumption::openMetrics).orElseGet(folder::openMetrics));
    try {
      formats.forEach(format -> logs.add(format, folder, from));
      return logs;
    } catch (RuntimeException | Error e) {
      try (logs) {
        throw e;
      }
    }
  }

  /** One that is open is closed with the others, whatever it is told first. */
  private void add(LogFormat format, RunFolder folder, Optional<Resumption> from) {
    switch (format) {
      case TENSORBOARD ->
          all.add(
              new TensorBoardLog(
                  folder.disk(), folder.path(), from.map(Resumption::lastStep).orElse(0L)));
      case CSV -> {
        CsvLog table = new CsvLog(folder.disk(), folder.table());
        all.add(table);
        from.ifPresent(past -> past.tellSteps(table));
      }
    }
  }

  /** What is to be told of the training. */
  List<TrainListener> listeners() {
    return List.copyOf(all);
  }

  /** Returns when all that was told is on the disk, with the length of the metrics. */
  long force() {
    all.stream().filter(log -> log != metrics).forEach(log -> log.force());
    return metrics.force();
  }

  @Override
  public void close() {
    close(all);
  }

  /** Where one cannot be closed, the others are. */
  private static void close(List<StepLog> logs) {
    if (!logs.isEmpty()) {
      try (StepLog _ = logs.getFirst()) {
        close(logs.subList(1, logs.size()));
      }
    }
  }
}
