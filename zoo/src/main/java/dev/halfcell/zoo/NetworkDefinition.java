package dev.halfcell.zoo;

import dev.halfcell.nn.Cell;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.nn.WithLossCell;
import dev.halfcell.op.loss.LossReduction;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.zoo.data.DataSetDefinition;
import dev.halfcell.zoo.data.DataSplit;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A network of the zoo.
 *
 * @param name what it is asked for by
 * @param summary what it is, in a line
 * @param network makes it
 * @param parameters how many its source says that it has
 * @param sample the spec of one sample that it takes, without the batch axis
 * @param data what it is trained on
 * @param defaults how it is trained
 */
public record NetworkDefinition(
    String name,
    String summary,
    Supplier<Cell> network,
    long parameters,
    TensorSpec sample,
    DataSetDefinition data,
    TrainingDefaults defaults) {
  /** The same, trained on other data. */
  public NetworkDefinition on(DataSetDefinition other) {
    return new NetworkDefinition(name, summary, network, parameters, sample, other, defaults);
  }

  /** The network, made anew. */
  public Cell build() {
    return network.get();
  }

  /** The network, made anew, and behind it its loss: what is trained. */
  public Cell withLoss() {
    return new WithLossCell(build(), loss());
  }

  /** What every network here is trained to make small. */
  public static Cell loss() {
    return new SoftmaxCrossEntropyLoss();
  }

  /** The same for each sample, as evaluations take it. */
  public static Cell lossOfEach() {
    return new SoftmaxCrossEntropyLoss(LossReduction.NONE);
  }

  /**
   * What it is trained on, in samples as it takes them.
   *
   * @param choice as {@link DataSetDefinition#open} takes it
   */
  public DataSplit openData(Optional<String> choice) {
    return data.open(choice, sample);
  }
}
