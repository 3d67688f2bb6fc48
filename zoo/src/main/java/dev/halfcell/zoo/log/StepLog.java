package dev.halfcell.zoo.log;

import dev.halfcell.train.TrainListener;

/** A file that holds something of each step. One thread. */
public interface StepLog extends TrainListener, AutoCloseable {
  /** Returns when all that was told is on the disk, with the length of the file. */
  long force();

  /** Writes what is left. */
  @Override
  void close();
}
