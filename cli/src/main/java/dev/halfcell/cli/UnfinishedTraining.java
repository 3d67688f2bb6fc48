package dev.halfcell.cli;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.train.TrainListener;
import dev.halfcell.zoo.run.Ending;
import dev.halfcell.zoo.run.RunFolder;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/** A training that failed, with what is left to go on from. */
final class UnfinishedTraining extends RuntimeException {
  private final transient Throwable why;
  private final String checkpoint;

  UnfinishedTraining(Throwable why, RunFolder folder) {
    super(why);
    this.why = why;
    this.checkpoint = lastOf(folder, why);
  }

  /**
   * How a training ends, where it ends as it is to.
   *
   * @param begun whether the folder is this run's already; else it is from the first event on
   * @param told is told of the training
   * @throws UnfinishedTraining where it fails
   * @throws ArgumentException where it may not begin: what lies in the folder is none of its own
   */
  static Ending unless(
      RunFolder folder,
      boolean begun,
      TrainListener told,
      Function<TrainListener, Ending> training) {
    AtomicBoolean own = new AtomicBoolean(begun);
    TrainListener first =
        event -> {
          own.set(true);
          told.on(event);
        };
    try {
      return training.apply(first);
    } catch (RuntimeException | Error why) {
      if (why instanceof ArgumentException refused && !own.get()) {
        throw refused;
      }
      throw new UnfinishedTraining(why, folder);
    }
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
