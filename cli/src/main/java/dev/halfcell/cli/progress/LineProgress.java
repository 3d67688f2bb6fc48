package dev.halfcell.cli.progress;

import dev.halfcell.cli.text.Figures;
import dev.halfcell.train.TrainEvent;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;

/**
 * A line at the end of each epoch, and within a long one a line at each tenth of it, no more than
 * one in five seconds. One thread.
 */
final class LineProgress implements Progress {
  private static final String GAP = "  ";
  private static final long SHORTEST_PAUSE = Duration.ofSeconds(5).toNanos();

  private final PrintWriter out;
  private Optional<EpochSoFar> epoch = Optional.empty();
  private int tenthsShown;
  private long lastLine;

  LineProgress(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void on(TrainEvent event) {
    switch (event) {
      case TrainEvent.EpochStarted started -> {
        epoch = Optional.of(new EpochSoFar(started));
        tenthsShown = 0;
        lastLine = System.nanoTime();
      }
      case TrainEvent.OffenderFound _, TrainEvent.EpochMeasured _, TrainEvent.BackendNoticed _ -> {}
      case TrainEvent.StepTaken taken ->
          epoch.ifPresent(
              current -> {
                current.add(taken);
                showTenth(current);
              });
      case TrainEvent.EpochEnded ended ->
          epoch.ifPresent(
              current ->
                  line(
                      current,
                      current.figures(ended, GAP)
                          + "  "
                          + Figures.fixed(ended.seconds(), 1)
                          + " s"));
    }
  }

  @Override
  public void say(String line) {
    out.println(line);
    out.flush();
  }

  private void showTenth(EpochSoFar current) {
    int tenths = current.tenths();
    long now = System.nanoTime();
    if (tenths > tenthsShown && tenths < 10 && now - lastLine >= SHORTEST_PAUSE) {
      tenthsShown = tenths;
      lastLine = now;
      line(current, tenths + "0 %  " + current.figures(GAP));
    }
  }

  private void line(EpochSoFar current, String text) {
    out.println(current.name() + "  " + text);
    out.flush();
  }

  @Override
  public void close() {
    out.flush();
  }
}
