package dev.halfcell.testkit;

import dev.halfcell.backend.Variable;
import dev.halfcell.backend.Variables;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Recording;
import dev.halfcell.op.Ops;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.train.TrainState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** The gradients of a cell by its inputs and its parameters, in FP64 on the reference backend. */
final class CellGradients {
  private static final double MOVED = 0.1; // so that no scale is 1 and no shift 0

  private final Cell net;
  private final boolean training;
  private final Tensor samples;
  private final List<Tensor> inputs;
  private final int differentiable;
  private final List<Variable> parameters = new ArrayList<>();
  private final Map<Variable, Tensor> statistics = new LinkedHashMap<>();
  private final List<Tensor> leading;

  private CellGradients(TensorScope scope, CellCase each, List<Tensor> inputs, boolean training) {
    this.net = each.make().get();
    this.differentiable = each.differentiable();
    this.training = training;
    this.inputs = inputs;
    this.samples = CellTrial.samples(scope, inputs);
    this.leading = new ArrayList<>(floating().toList());
    Generator generator = new Generator(Generator.seed());
    try (TrainState state = TrainState.of(net, Generator.seed())) {
      state.values().forEach((variable, value) -> add(scope, variable, value, generator));
    }
  }

  private void add(TensorScope scope, Variable variable, Tensor value, Generator generator) {
    double[] values = value.toArray();
    if (variable.kind() == Variable.Kind.PARAMETER) {
      for (int i = 0; i < values.length; i++) {
        values[i] += MOVED * generator.normal();
      }
      parameters.add(variable);
      leading.add(Tensor.of(scope, value.spec().as(DType.FP64), values));
    } else {
      statistics.put(variable, Tensor.of(scope, value.spec().as(DType.FP64), values));
    }
  }

  private Stream<Tensor> floating() {
    return inputs.stream().limit(differentiable).filter(x -> x.dtype().floating());
  }

  /** Checks them all; throws AssertionError naming input and element where they disagree. */
  static void check(CellCase each, List<Tensor> inputs, boolean training) {
    try (TensorScope scope = TensorScope.open()) {
      CellGradients gradients = new CellGradients(scope, each, inputs, training);
      CentralDifferences.check(gradients::output, gradients.leading, gradients.leading.size());
    }
  }

  /** The output for these floating inputs and parameters. */
  private Tensor output(Ops ops, List<Tensor> values) {
    List<Tensor> taken = new ArrayList<>(inputs);
    int next = 0;
    for (int i = 0; i < differentiable; i++) {
      if (taken.get(i).dtype().floating()) {
        taken.set(i, values.get(next));
        next++;
      }
    }
    Map<Variable, Tensor> state = new LinkedHashMap<>(statistics);
    for (Variable parameter : parameters) {
      state.put(parameter, values.get(next));
      next++;
    }
    Recording recording = new Recording(ops.executor(), new Values(state), net, samples, training);
    return recording.call(net, taken.toArray(Tensor[]::new));
  }

  private record Values(Map<Variable, Tensor> values) implements Variables {
    @Override
    public Tensor read(Variable variable) {
      return Objects.requireNonNull(values.get(variable), variable.toString());
    }

    @Override
    public long seed() {
      return 1;
    }
  }
}
