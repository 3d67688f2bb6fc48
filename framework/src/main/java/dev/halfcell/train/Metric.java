package dev.halfcell.train;

import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.UsageException;

/** A number that says how good outputs are, collected batch by batch. One thread. */
public interface Metric {
  /** Its name in reports. */
  String name();

  /** Takes in the outputs of a batch and its labels. */
  void update(Tensor output, Tensor labels);

  /**
   * The number for all that was taken in.
   *
   * @throws UsageException before anything was
   */
  double value();

  /**
   * A sum over samples, divided by their number.
   *
   * @throws UsageException where there are none
   */
  static double mean(String name, double sum, long samples) {
    if (samples == 0) {
      throw new UsageException(
          new Problem(name, "", "at least one sample", "none", "Evaluate on data before asking."));
    }
    return sum / samples;
  }
}
