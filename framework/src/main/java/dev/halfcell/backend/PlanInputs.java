package dev.halfcell.backend;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DTypeException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.ShapeException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import java.util.List;

/** What every plan demands of the tensors that it is run on. */
public final class PlanInputs {
  private PlanInputs() {}

  /**
   * Demands that {@code inputs} have the specs of the graph's inputs.
   *
   * @throws UsageException where their number is another
   * @throws DTypeException where a dtype is another
   * @throws ShapeException where a shape is another
   */
  public static void require(Graph graph, List<Tensor> inputs) {
    int count = graph.inputs().size();
    if (inputs.size() != count) {
      throw new UsageException(
          new Problem(
              "Plan",
              "",
              count + " inputs",
              String.valueOf(inputs.size()),
              "Pass the inputs that the step was recorded with."));
    }
    for (int i = 0; i < count; i++) {
      ArgumentException.requirePresent(inputs.get(i), "Plan", "input " + i);
      require(i, graph.slots().get(graph.inputs().get(i)), inputs.get(i).spec());
    }
  }

  /** Whether {@code inputs} have the specs of the graph's inputs. */
  public static boolean fit(Graph graph, List<Tensor> inputs) {
    return Tensor.specs(inputs).equals(graph.inputs().stream().map(graph.slots()::get).toList());
  }

  private static void require(int index, TensorSpec expected, TensorSpec got) {
    Problem problem =
        new Problem(
            "Plan",
            "input " + index,
            expected.toString(),
            got.toString(),
            "A plan serves one signature: compile another one for this.");
    if (expected.dtype() != got.dtype()) {
      throw new DTypeException(problem);
    }
    if (!expected.shape().equals(got.shape())) {
      throw new ShapeException(problem);
    }
  }
}
