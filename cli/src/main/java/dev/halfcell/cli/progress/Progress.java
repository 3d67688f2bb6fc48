package dev.halfcell.cli.progress;

import dev.halfcell.train.TrainEvent;
import dev.halfcell.train.TrainListener;
import java.io.PrintWriter;

/** Shows a running training. Close it when training ends in any way. */
public sealed interface Progress extends TrainListener, AutoCloseable
    permits BarProgress, LineProgress, Progress.Silent {
  /** A bar for each epoch on a terminal, else lines. */
  static Progress on(PrintWriter out, boolean terminal) {
    return terminal ? new BarProgress() : new LineProgress(out);
  }

  @Override
  void close();

  /** Shows nothing. */
  record Silent() implements Progress {
    @Override
    public void on(TrainEvent event) {}

    @Override
    public void close() {}
  }
}
