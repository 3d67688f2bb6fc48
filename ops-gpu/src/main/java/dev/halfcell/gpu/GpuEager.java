package dev.halfcell.gpu;

import dev.halfcell.backend.Graph;
import dev.halfcell.backend.Outcome;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.Variable;
import dev.halfcell.backend.Variables;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Op;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** Runs ops one by one, each as a plan of its own, and waits for it: for finding mistakes. */
final class GpuEager {
  private final Shared shared;

  GpuEager(Shared shared) {
    this.shared = shared;
  }

  /** A graph of one op reads no variables. */
  private static final class Nothing implements Variables {
    @Override
    public Tensor read(Variable variable) {
      throw new IllegalStateException("an op alone reads " + variable);
    }

    @Override
    public long seed() {
      return 0;
    }
  }

  List<Tensor> execute(Op op, List<Tensor> in, CellPath at, TensorScope scope) {
    shared.queue().device().enter();
    Graph graph = graph(op, Tensor.specs(in), at);
    Compilation compiled = Compilation.of(shared.code(), graph, PlanOptions.PLAIN);
    try (GpuPlan plan = GpuPlan.of(graph, new Nothing(), compiled, shared)) {
      return plan.run(in).stream().map(scope::copy).toList();
    }
  }

  /** A step of one op. */
  static Graph graph(Op op, List<TensorSpec> in, CellPath at) {
    List<TensorSpec> slots = new ArrayList<>(in);
    slots.addAll(op.infer(in, at));
    List<Integer> inputs = IntStream.range(0, in.size()).boxed().toList();
    List<Integer> outputs = IntStream.range(in.size(), slots.size()).boxed().toList();
    return new Graph(
        slots,
        inputs,
        Map.of(),
        Map.of(),
        List.of(new Graph.Node(op, inputs, outputs, at)),
        new Outcome<>(outputs, Optional.empty(), Map.of()));
  }
}
