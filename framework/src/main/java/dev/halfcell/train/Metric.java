package dev.halfcell.train;

import dev.halfcell.tensor.Tensor;

/** A number that says how good outputs are, collected batch by batch. One thread. */
public interface Metric {
  /** Its name in reports. */
  String name();

  /** Takes in the outputs of a batch and its labels. */
  void update(Tensor output, Tensor labels);

  /**
   * The number for all that was taken in.
   *
   * @throws dev.halfcell.tensor.UsageException before anything was
   */
  double value();
}
