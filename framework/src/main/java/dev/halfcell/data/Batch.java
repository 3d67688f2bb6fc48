package dev.halfcell.data;

import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.ShapeException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * One batch.
 *
 * @param inputs what the network is given: data, then label
 * @param samples the running number of each sample since training began, INT64 [N]: random ops are
 *     keyed by it
 */
public record Batch(List<Tensor> inputs, Tensor samples) {
  public Batch {
    inputs = List.copyOf(inputs);
  }

  /** Inputs and sample numbers, as a plan takes them. */
  public List<Tensor> tensors() {
    List<Tensor> all = new ArrayList<>(inputs);
    all.add(samples);
    return all;
  }

  /** What a plan is compiled for. */
  public List<TensorSpec> signature() {
    return Tensor.specs(tensors());
  }

  /**
   * Demands inputs of which the first has a batch axis.
   *
   * @throws ShapeException where there is none
   */
  public static void requireRows(List<TensorSpec> inputs) {
    if (inputs.isEmpty() || inputs.getFirst().rank() == 0) {
      throw new ShapeException(
          new Problem(
              "Batch",
              "",
              "inputs, the first of them [N, ...] with N samples",
              inputs.isEmpty() ? "no input" : inputs.toString(),
              "Reshape a single sample to [1, ...]."));
    }
  }

  /** The number of samples. */
  public int size() {
    return samples.spec().dim(0);
  }
}
