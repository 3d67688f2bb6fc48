package dev.halfcell.zoo.run;

import java.nio.file.Path;

/** Which of the values that a run has saved. */
public sealed interface SavedValues {
  /** Those of the finished model. */
  record Finished() implements SavedValues {}

  /** Those of the newest checkpoint. */
  record Newest() implements SavedValues {}

  /** Those of a file: a checkpoint, or a model. */
  record Of(Path file) implements SavedValues {}
}
