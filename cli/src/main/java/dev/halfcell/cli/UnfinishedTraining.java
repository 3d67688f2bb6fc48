package dev.halfcell.cli;

import dev.halfcell.zoo.run.RunFolder;

/** A training that failed, with what is left to go on from. */
final class UnfinishedTraining extends RuntimeException {
  private final transient Throwable why;
  private final String checkpoint;

  UnfinishedTraining(Throwable why, RunFolder folder) {
    super(why);
    this.why = why;
    this.checkpoint = lastOf(folder, why);
  }

  /** A folder that cannot be read is another reason, and the training's own goes before it. */
  private static String lastOf(RunFolder folder, Throwable why) {
    try {
      return folder
          .newestCheckpoint()
          .map(file -> "Its last checkpoint is " + file + ".")
          .orElse("No checkpoint was saved.");
    } catch (RuntimeException unreadable) {
      why.addSuppressed(unreadable);
      return "Its checkpoints cannot be read.";
    }
  }

  /** What ended it. */
  Throwable why() {
    return why;
  }

  /** Where its last checkpoint is, in a sentence. */
  String checkpoint() {
    return checkpoint;
  }
}
