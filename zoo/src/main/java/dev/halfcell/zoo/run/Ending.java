package dev.halfcell.zoo.run;

import java.nio.file.Path;

/** How a run ended. */
public sealed interface Ending {
  /** It was trained to its end, or until it got no better, and the result was tested. */
  record Completed(RunSummary summary) implements Ending {}

  /**
   * It was asked to stop.
   *
   * @param steps the steps that were taken
   * @param checkpoint where the whole state was saved
   */
  record Interrupted(int steps, Path checkpoint) implements Ending {}
}
