package dev.halfcell.zoo.job;

import dev.halfcell.train.listener.Monitor;
import java.util.Locale;

/** What the epochs of a run are compared by. */
public enum WatchedMetric {
  /** The mean loss of an epoch's steps. */
  TRAIN_LOSS(Monitor.Mode.MIN),
  /** The mean loss of the test samples. */
  TEST_LOSS(Monitor.Mode.MIN),
  /** The share of test samples that are classified right. */
  TEST_ACCURACY(Monitor.Mode.MAX);

  private final Monitor.Mode mode;

  WatchedMetric(Monitor.Mode mode) {
    this.mode = mode;
  }

  /** Whether it is measured on test samples. */
  public boolean tested() {
    return this != TRAIN_LOSS;
  }

  /** By what an epoch is better than another one. */
  public Monitor monitor(double minDelta) {
    return new Monitor(name().toLowerCase(Locale.ROOT), mode, minDelta);
  }
}
