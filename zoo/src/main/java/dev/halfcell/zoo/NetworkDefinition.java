package dev.halfcell.zoo;

import dev.halfcell.nn.Cell;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.zoo.data.DataSetDefinition;
import java.util.function.Supplier;

/**
 * A network of the zoo.
 *
 * @param name what it is asked for by
 * @param summary what it is, in a line
 * @param network makes it
 * @param sample the spec of one sample that it takes, without the batch axis
 * @param data what it is trained on
 * @param defaults how it is trained
 */
public record NetworkDefinition(
    String name,
    String summary,
    Supplier<Cell> network,
    TensorSpec sample,
    DataSetDefinition data,
    TrainingDefaults defaults) {
  /** The network, made anew. */
  public Cell build() {
    return network.get();
  }
}
