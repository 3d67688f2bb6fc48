package dev.halfcell.cli.progress;

import java.io.PrintWriter;
import java.time.Duration;

/** A line at each tenth of a job, no more than one in five seconds. One thread. */
final class JobLines implements JobProgress {
  private static final long SHORTEST_PAUSE = Duration.ofSeconds(5).toNanos();

  private final PrintWriter out;
  private int tenths;
  private long lastLine = System.nanoTime() - SHORTEST_PAUSE;

  JobLines(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void at(String name, double done, String figures) {
    int reached = (int) (done * 10);
    if (reached > tenths && System.nanoTime() - lastLine >= SHORTEST_PAUSE) {
      tenths = reached;
      lastLine = System.nanoTime();
      say(name + "  " + tenths + "0 %  " + figures);
    }
  }

  @Override
  public void say(String line) {
    out.println(line);
    out.flush();
  }

  @Override
  public void close() {
    out.flush();
  }
}
