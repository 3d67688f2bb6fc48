package dev.halfcell.zoo.job;

/** What other programs draw the steps of a run from. */
public enum LogFormat {
  /** Event files for TensorBoard. */
  TENSORBOARD,
  /** A table, {@code steps.csv}, for spreadsheets and data frames. */
  CSV
}
