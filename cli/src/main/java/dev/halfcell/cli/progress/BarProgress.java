package dev.halfcell.cli.progress;

import dev.halfcell.train.TrainEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressState;

/** A bar for each epoch, drawn over itself on the terminal of the process. One thread. */
final class BarProgress implements Progress {
  private static final int MILLISECONDS_BETWEEN_DRAWINGS = 100;
  private static final int NARROWEST_BAR = 10;
  private static final int WIDEST_BAR = 40;

  private record Shown(EpochSoFar epoch, ProgressBar bar) {}

  private final List<String> waiting = new ArrayList<>();
  private Optional<Shown> shown = Optional.empty();

  @Override
  public void on(TrainEvent event) {
    switch (event) {
      case TrainEvent.EpochStarted started -> shown = Optional.of(show(new EpochSoFar(started)));
      case TrainEvent.OffenderFound _, TrainEvent.EpochMeasured _, TrainEvent.BackendNoticed _ -> {}
      case TrainEvent.StepTaken taken ->
          shown.ifPresent(
              now -> {
                now.epoch().add(taken);
                now.bar().setExtraMessage(now.epoch().figures(" "));
                now.bar().step();
              });
      case TrainEvent.EpochEnded ended -> {
        shown.ifPresent(now -> now.bar().setExtraMessage(now.epoch().figures(ended, " ")));
        close();
      }
    }
  }

  private static Shown show(EpochSoFar epoch) {
    ProgressBar bar =
        new ProgressBarBuilder()
            .setTaskName(epoch.name())
            .setInitialMax(epoch.batches())
            .setRenderer((state, width) -> line(state, width))
            .setUpdateIntervalMillis(MILLISECONDS_BETWEEN_DRAWINGS)
            .setConsumer(new ConsoleProgressBarConsumer(System.out))
            .build();
    return new Shown(epoch, bar);
  }

  private static String line(ProgressState state, int width) {
    return line(state.getTaskName(), state.getNormalizedProgress(), state.getExtraMessage(), width);
  }

  /** {@code epoch 1/5 40% [#### ] figures}, the bar as wide as the line leaves room for. */
  static String line(String name, double done, String figures, int width) {
    int others = name.length() + figures.length() + " 100% [] ".length();
    int room = Math.clamp(width - others, NARROWEST_BAR, WIDEST_BAR);
    int filled = (int) (done * room);
    String bar = "#".repeat(filled) + " ".repeat(room - filled);
    String line = String.format("%s %3.0f%% [%s] %s", name, done * 100, bar, figures);
    return line.substring(0, Math.min(line.length(), width));
  }

  /** Lines would tear the bar: they wait until it is done. */
  @Override
  public void say(String line) {
    waiting.add(line);
  }

  @Override
  public void close() {
    shown.ifPresent(now -> now.bar().close());
    shown = Optional.empty();
    waiting.forEach(System.out::println);
    waiting.clear();
  }
}
