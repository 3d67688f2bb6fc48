package dev.halfcell.plan;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Outcome;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.backend.TracingExecutor;
import dev.halfcell.backend.Variable;
import dev.halfcell.backend.Variables;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Ops;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** A program written down op by op, over a state made for it. */
final class Sketch implements AutoCloseable {
  /** Tensors by name. */
  private record State(Map<Variable, Tensor> values) implements Variables {
    @Override
    public Tensor read(Variable variable) {
      return Objects.requireNonNull(values.get(variable), variable.toString());
    }

    @Override
    public long seed() {
      return 0;
    }
  }

  final TensorScope scope = TensorScope.open();
  private final Backend backend = new ReferenceBackend();
  private final State state = new State(new LinkedHashMap<>());
  private final TracingExecutor tracing = new TracingExecutor(state);
  final Ops ops = new Ops(tracing, new CellPath("/sketch"));

  Tensor input(DType dtype, int... dims) {
    return tracing.input(TensorSpec.of(dtype, dims));
  }

  static Variable parameter(String name) {
    return new Variable(Variable.Kind.PARAMETER, new CellPath("/sketch").child(name));
  }

  /** The promise of a variable that starts with these values. */
  Tensor variable(Variable variable, TensorSpec spec, double... values) {
    state.values.computeIfAbsent(variable, _ -> Tensor.of(scope, spec, values));
    return tracing.read(variable);
  }

  /** The present values of a variable. */
  double[] values(Variable variable) {
    return state.read(variable).toArray();
  }

  Program results(Tensor... results) {
    return program(Outcome.of(List.of(results)));
  }

  Program program(List<Tensor> results, Tensor apply, Map<Variable, Tensor> assigns) {
    return program(new Outcome<>(results, Optional.of(apply), assigns));
  }

  Program program(Outcome<Tensor> outcome) {
    return Program.of(tracing.graph(outcome));
  }

  List<Tensor> run(Program program, Tensor... inputs) {
    return Interpreter.run(program, backend, state, List.of(inputs), scope);
  }

  static List<String> labels(Program program) {
    return program.tasks().stream().map(task -> task.work().label()).toList();
  }

  @Override
  public void close() {
    scope.close();
    backend.close();
  }
}
