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

  /** Shows a line that is no figure of an epoch. */
  void say(String line);

  @Override
  void close();

  /** Shows nothing. */
  record Silent() implements Progress {
    @Override
    public void on(TrainEvent event) {}

    @Override
    public void say(String line) {}

    @Override
    public void close() {}
  }
}
