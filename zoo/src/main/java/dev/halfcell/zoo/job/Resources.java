package dev.halfcell.zoo.job;

import dev.halfcell.data.Loading;
import java.util.Optional;

/**
 * What a run may take of its machine.
 *
 * @param threads that compute
 * @param memoryLimit bytes that it may hold
 * @param loaderWorkers threads that read batches ahead of the training
 */
public record Resources(
    @Key(value = "Threads that compute.", least = 1, most = 1024) Optional<Integer> threads,
    @Key(
            value = "Bytes that the run may hold, as a number or with a unit: 512M, 6GiB.",
            least = 1,
            bytes = true)
        Optional<Long> memoryLimit,
    @Key(
            value =
                "Threads that read batches ahead; 0 reads each when it is wanted. Default: 1. The"
                    + " bits do not depend on it.",
            least = 0,
            most = Loading.MOST_WORKERS)
        Optional<Integer> loaderWorkers) {
  /** What reads ahead unless told otherwise: enough where a sample costs less than its step. */
  static final int USUAL_WORKERS = 1;
}
