package dev.halfcell.data;

import dev.halfcell.tensor.ArgumentException;

/**
 * How batches are read. None of it changes what they hold but {@code change}: the order and the
 * numbers are the same with any number of workers.
 *
 * @param workers threads that read ahead of the training; 0 means that whoever takes a batch reads
 *     it
 * @param ahead the most batches that are read before they are wanted; 0 without workers
 * @param change what is done to each sample once it is read
 */
public record Loading(int workers, int ahead, SampleChange change) {
  /** More threads than that read no faster. */
  public static final int MOST_WORKERS = 256;

  public Loading {
    ArgumentException.require(
        workers >= 0 && workers <= MOST_WORKERS, "workers", "0 to " + MOST_WORKERS, workers);
    ArgumentException.require(
        workers == 0 ? ahead == 0 : ahead >= 1 && ahead <= 4096,
        "batches read ahead",
        workers == 0 ? "0, where no worker reads them" : "1 to 4096",
        ahead);
  }

  /** By whoever takes the batch, unchanged. */
  public static Loading direct() {
    return new Loading(0, 0, SampleChange.none());
  }

  /** By so many threads, two batches of each ahead; 0 as {@link #direct}. */
  public Loading workers(int threads) {
    return new Loading(threads, 2 * threads, change);
  }

  /** With so many batches read ahead. */
  public Loading ahead(int batches) {
    return new Loading(workers, batches, change);
  }

  /** With this done to each sample. */
  public Loading change(SampleChange done) {
    return new Loading(workers, ahead, done);
  }
}
