package dev.halfcell.data;

import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * A data set, with something done to each sample that does not depend on when it is read. Threads
 * may share it.
 *
 * @param source what is read
 * @param change what is done to it; the number that it is told is the sample's index
 */
public record ChangedDataSet(DataSet source, SampleChange change) implements DataSet {
  @Override
  public String name() {
    return source.name();
  }

  @Override
  public int size() {
    return source.size();
  }

  @Override
  public int classes() {
    return source.classes();
  }

  @Override
  public List<TensorSpec> sample() {
    return source.sample();
  }

  @Override
  public void read(int index, List<Tensor> batch, int row) {
    source.read(index, batch, row);
    change.apply(batch, row, index);
  }
}
