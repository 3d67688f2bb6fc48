package dev.halfcell.verify;

import dev.halfcell.autodiff.Tape;
import dev.halfcell.backend.Backend;
import dev.halfcell.backend.CheckedExecutor;
import dev.halfcell.backend.Collective;
import dev.halfcell.backend.Graph;
import dev.halfcell.backend.Outcome;
import dev.halfcell.backend.Plan;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.TracingExecutor;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Executor;
import dev.halfcell.op.Ops;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeSet;

/** Computes an op of a golden file on a backend and compares all that the file holds. */
record OpComparison(GoldenFile file, OpComputation computation, Backend backend) {
  private static final String INPUT = "in.";
  private static final String SEED = "grad_out";

  /** The worst deviation of a run op by op and of one as a plan with everything allowed. */
  Deviation worst() {
    SequencedMap<String, Tensor> given = new LinkedHashMap<>();
    file.tensors().stream()
        .filter(name -> name.startsWith(INPUT) || name.equals(SEED))
        .forEach(name -> given.put(name, file.tensor(name)));
    try (TensorScope scope = TensorScope.open()) {
      Executor eager = new CheckedExecutor(backend.eager(scope));
      return compare("", describe(eager, given, scope))
          .worse(compare("plan: ", planned(given, scope)));
    }
  }

  private SequencedMap<String, Tensor> planned(
      SequencedMap<String, Tensor> given, TensorScope scope) {
    TracingExecutor tracing = new TracingExecutor(new NoState());
    SequencedMap<String, Tensor> symbols = new LinkedHashMap<>();
    given.forEach((name, value) -> symbols.put(name, tracing.input(value.spec())));
    SequencedMap<String, Tensor> values = describe(tracing, symbols, scope);
    Graph graph = tracing.graph(Outcome.of(List.copyOf(values.values())));
    try (Plan plan = backend.compile(graph, new NoState(), PlanOptions.FULL, Collective.single())) {
      Iterator<Tensor> results = plan.run(List.copyOf(given.values())).iterator();
      values.replaceAll((_, _) -> scope.copy(results.next()));
    }
    return values;
  }

  /** Outputs and gradients by their names in the file. */
  private SequencedMap<String, Tensor> describe(
      Executor base, SequencedMap<String, Tensor> given, TensorScope scope) {
    Tape tape = new Tape(base);
    given.forEach(
        (name, tensor) -> {
          if (tensor.dtype().floating() && !name.equals(SEED)) {
            tape.watchInput(tensor);
          }
        });
    SequencedMap<String, Tensor> results =
        computation.outputs(
            new Ops(tape, CellPath.ROOT.child(file.name())),
            name -> named(given, INPUT + name),
            scope);
    Tensor out = named(results, OpComputation.OUTPUT);
    Map<Tensor, Tensor> gradients = tape.gradients(out, named(given, SEED));
    given.forEach(
        (name, input) ->
            Optional.ofNullable(gradients.get(input))
                .ifPresent(g -> results.put(name.replaceFirst("^in", "grad"), g)));
    return results;
  }

  private Tensor named(Map<String, Tensor> tensors, String name) {
    return Optional.ofNullable(tensors.get(name)).orElseGet(() -> file.tensor(name));
  }

  private Deviation compare(String run, Map<String, Tensor> computed) {
    TreeSet<String> wanted = new TreeSet<>(file.tensors());
    wanted.removeIf(name -> name.startsWith(INPUT) || name.equals(SEED));
    Deviation worst = Deviation.NONE;
    for (String name : wanted) {
      Tensor want = file.tensor(name);
      worst =
          Optional.ofNullable(computed.get(name))
              .map(got -> Deviation.between(run + name, want, got, computation.bound()))
              .orElse(new Deviation(run + name + " is not computed", Double.NaN, 0))
              .worse(worst);
    }
    return worst;
  }
}
