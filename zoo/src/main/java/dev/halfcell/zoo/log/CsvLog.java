package dev.halfcell.zoo.log;

import dev.halfcell.disk.Disk;
import dev.halfcell.train.TrainEvent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Writes a table with a line for each step, for spreadsheets and data frames: {@code
 * step,epoch,loss,scale,overflow,applied,lr,step_ms,data_wait_ms}. Numbers that are not finite are
 * left empty. Lines are handed to the system at the end of each epoch at the latest. One thread.
 */
public final class CsvLog implements StepLog {
  private static final String COLUMNS =
      "step,epoch,loss,scale,overflow,applied,lr,step_ms,data_wait_ms";

  private final LogFile to;

  /**
   * A new table, in place of what the file held. That of a run that goes on is written anew: its
   * steps so far are told first.
   *
   * @throws dev.halfcell.tensor.DataException where it cannot be written
   */
  public CsvLog(Path file) {
    this(Disk.local(), file);
  }

  /** The same on another disk. */
  public CsvLog(Disk disk, Path file) {
    to = LogFile.create("CsvLog", disk, file);
    add(COLUMNS);
  }

  @Override
  public void on(TrainEvent event) {
    switch (event) {
      case TrainEvent.EpochStarted _,
          TrainEvent.OffenderFound _,
          TrainEvent.EpochMeasured _,
          TrainEvent.BackendNoticed _ -> {}
      case TrainEvent.StepTaken taken -> add(line(taken));
      case TrainEvent.EpochEnded _ -> to.flush();
    }
  }

  private void add(String line) {
    to.add((line + "\n").getBytes(StandardCharsets.UTF_8));
  }

  private static String line(TrainEvent.StepTaken taken) {
    return String.join(
        ",",
        Long.toString(taken.step()),
        Integer.toString(taken.epoch()),
        number(taken.result().loss()),
        number(taken.result().usedScale()),
        Boolean.toString(taken.result().overflow()),
        Boolean.toString(taken.result().applied()),
        number(taken.learningRate()),
        number(taken.milliseconds()),
        number(taken.dataWaitMilliseconds()));
  }

  private static String number(double value) {
    return Double.isFinite(value) ? Double.toString(value) : "";
  }

  @Override
  public long force() {
    return to.force();
  }

  @Override
  public void close() {
    to.close();
  }
}
