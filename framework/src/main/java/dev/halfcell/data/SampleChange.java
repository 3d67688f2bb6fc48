package dev.halfcell.data;

import dev.halfcell.tensor.Tensor;
import java.util.List;

/** What is done to a sample after it was read into its batch. Threads share it. */
@FunctionalInterface
public interface SampleChange {
  /**
   * Changes a sample in place.
   *
   * @param batch a tensor for each part, with a batch axis in front
   * @param row the place along the batch axis
   * @param number the running number of the sample since training began
   */
  void apply(List<Tensor> batch, int row, long number);

  /** Samples as they were read. */
  static SampleChange none() {
    return (_, _, _) -> {};
  }
}
