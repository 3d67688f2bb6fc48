package dev.halfcell.cli.progress;

import java.util.Optional;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;

/** A bar for a whole job, drawn over itself on the terminal of the process. One thread. */
final class JobBar implements JobProgress {
  private static final int WHOLE = 1000;
  private static final int MILLISECONDS_BETWEEN_DRAWINGS = 100;

  private Optional<ProgressBar> bar = Optional.empty();
  private volatile String name = "";

  @Override
  public void at(String name, double done, String figures) {
    this.name = name;
    ProgressBar shown = bar.isPresent() ? bar.get() : show();
    bar = Optional.of(shown);
    shown.setExtraMessage(figures);
    shown.stepTo(Math.round(done * WHOLE));
  }

  private ProgressBar show() {
    return new ProgressBarBuilder()
        .setInitialMax(WHOLE)
        .setRenderer(
            (state, width) ->
                BarProgress.line(
                    name, state.getNormalizedProgress(), state.getExtraMessage(), width))
        .setUpdateIntervalMillis(MILLISECONDS_BETWEEN_DRAWINGS)
        .setConsumer(new ConsoleProgressBarConsumer(System.out))
        .build();
  }

  /** A line would tear the bar: it ends, and the next figures begin another below. */
  @Override
  public void say(String line) {
    close();
    System.out.println(line);
  }

  @Override
  public void close() {
    bar.ifPresent(ProgressBar::close);
    bar = Optional.empty();
  }
}
