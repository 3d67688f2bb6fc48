package dev.halfcell.data;

import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.security.MessageDigest;
import java.util.List;

/** Labelled samples that can be read in any order. Threads may share a data set. */
public interface DataSet {
  /** What it is and where it comes from, as reports are to say it. */
  String name();

  /** The number of samples. */
  int size();

  /** The number of classes of its labels. */
  int classes();

  /** The specs of one sample's parts, data then label, without the batch axis. */
  List<TensorSpec> sample();

  /**
   * Writes a sample into a row of a batch.
   *
   * @param index the sample, from 0
   * @param batch a tensor for each part, with a batch axis in front
   * @param row the place along the batch axis
   */
  void read(int index, List<Tensor> batch, int row);

  /**
   * Adds to a sum what all samples are made of, in order: as they are read, unless a data set knows
   * less that decides them, such as the bytes of its files.
   */
  default void identify(MessageDigest sum) {
    DataFingerprint.samples(this, size(), sum);
  }
}
