package dev.halfcell.zoo.log;

import dev.halfcell.tensor.DataException;
import dev.halfcell.train.TrainEvent;
import dev.halfcell.train.TrainListener;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes a table with a line for each step, for spreadsheets and data frames: {@code
 * step,epoch,loss,scale,overflow,applied,lr,step_ms,data_wait_ms}. Numbers that are not finite are
 * left empty. One thread.
 */
public final class CsvLog implements TrainListener, AutoCloseable {
  private static final String COLUMNS =
      "step,epoch,loss,scale,overflow,applied,lr,step_ms,data_wait_ms";

  private final Path file;
  private final Writer out;

  /**
   * A new table, in place of what the file held.
   *
   * @throws DataException where it cannot be written
   */
  public CsvLog(Path file) {
    this.file = file;
    try {
      this.out = Files.newBufferedWriter(file);
      out.write(COLUMNS + "\n");
    } catch (IOException e) {
      throw DataException.unwritable("CsvLog", file, e);
    }
  }

  @Override
  public void on(TrainEvent event) {
    try {
      switch (event) {
        case TrainEvent.EpochStarted _, TrainEvent.OffenderFound _ -> {}
        case TrainEvent.StepTaken taken -> out.write(line(taken));
        case TrainEvent.EpochEnded _ -> out.flush();
      }
    } catch (IOException e) {
      throw DataException.unwritable("CsvLog", file, e);
    }
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
            number(taken.dataWaitMilliseconds()))
        + "\n";
  }

  private static String number(double value) {
    return Double.isFinite(value) ? Double.toString(value) : "";
  }

  /** Writes what is left. */
  @Override
  public void close() {
    try {
      out.close();
    } catch (IOException e) {
      throw DataException.unwritable("CsvLog", file, e);
    }
  }
}
