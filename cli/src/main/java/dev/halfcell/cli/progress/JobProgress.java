package dev.halfcell.cli.progress;

import java.io.PrintWriter;

/** Shows how far a job is that runs elsewhere. Close it when the job is over or left. */
public sealed interface JobProgress extends AutoCloseable permits JobBar, JobLines {
  /** A bar on a terminal, else lines. */
  static JobProgress on(PrintWriter out, boolean terminal) {
    return terminal ? new JobBar() : new JobLines(out);
  }

  /**
   * It has come so far.
   *
   * @param name what of it is done, as {@code epoch 1/2}
   * @param done of the whole, from 0 to 1
   * @param figures loss and so on
   */
  void at(String name, double done, String figures);

  /** Shows a line that is no figure. */
  void say(String line);

  @Override
  void close();
}
