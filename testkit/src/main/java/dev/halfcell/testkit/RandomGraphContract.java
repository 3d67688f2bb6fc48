package dev.halfcell.testkit;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Collective;
import dev.halfcell.backend.Outcome;
import dev.halfcell.backend.Plan;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.backend.TracingExecutor;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Training steps drawn at random: a plain plan has the bits of eager execution; of a full one the
 * error of each result against FP64, over its largest magnitude, is at most twice eager's plus one
 * epsilon of the dtype that the graph computes in. {@code -Dhalfcell.testkit.graphs=1000} tries
 * more of them. Seed and counts are written to {@code target/random-graphs-BACKEND-PLAN.txt}.
 */
public abstract class RandomGraphContract {
  private static final int GRAPHS = Integer.getInteger("halfcell.testkit.graphs", 50);
  private static final double MOST_DRAWN_AGAIN = 0.05;

  /** Opens the backend that is held to the contract. */
  protected abstract Backend open();

  /** What one graph is held to; false where another has to be drawn in its place. */
  @FunctionalInterface
  private interface Check {
    boolean holds(Backend backend, RandomGraph graph, TensorScope scope);
  }

  @Test
  final void aPlainPlanHasTheBitsOfEagerExecution() throws IOException {
    forEachGraph("plain", RandomGraphContract::sameBits);
  }

  @Test
  final void aFullPlanIsAboutAsNearToFp64AsEagerExecution() throws IOException {
    forEachGraph("full", RandomGraphContract::near);
  }

  private void forEachGraph(String plan, Check check) throws IOException {
    long first = 1_000_000 * Generator.seed();
    int again = 0;
    int held = 0;
    try (Backend backend = open()) {
      RandomGraphs graphs = new RandomGraphs(Generator.seed(), backend);
      for (long seed = first; held < GRAPHS; seed++) {
        try (TensorScope scope = TensorScope.open()) {
          if (check.holds(backend, graphs.draw(seed), scope)) {
            held++;
          } else {
            again++;
          }
        }
        assertTrue(
            again <= Math.max(2, MOST_DRAWN_AGAIN * GRAPHS),
            again + " graphs were decided within the margin, " + held + " were not");
      }
      report(backend.name() + "-" + plan, held, again);
    }
  }

  private static void report(String name, int held, int again) throws IOException {
    Path folder = Files.createDirectories(Path.of("target"));
    Files.writeString(
        folder.resolve("random-graphs-" + name + ".txt"),
        "seed %d: %d graphs held, %d drawn again%n".formatted(Generator.seed(), held, again));
  }

  private static boolean sameBits(Backend backend, RandomGraph graph, TensorScope scope) {
    List<Tensor> in = graph.inputs(scope, graph.dtype());
    List<Tensor> eager = graph.describe(backend.eager(scope), in, graph.dtype()).results();
    planned(
        backend,
        graph,
        PlanOptions.PLAIN,
        in,
        plan -> {
          for (int i = 0; i < eager.size(); i++) {
            String what = graph + ", result " + i + " of the plain plan";
            assertTrue(eager.get(i).sameBits(plan.get(i)), what);
          }
        });
    return true;
  }

  private static void planned(
      Backend backend,
      RandomGraph graph,
      PlanOptions options,
      List<Tensor> in,
      Consumer<List<Tensor>> check) {
    NoState none = new NoState();
    TracingExecutor tracing = new TracingExecutor(none);
    List<Tensor> symbols = graph.signature().stream().map(tracing::input).toList();
    List<Tensor> results = graph.describe(tracing, symbols, graph.dtype()).results();
    try (Plan plan =
        backend.compile(tracing.graph(Outcome.of(results)), none, options, Collective.single())) {
      check.accept(plan.run(in));
    }
  }

  private static boolean near(Backend backend, RandomGraph graph, TensorScope scope) {
    List<Tensor> in = graph.inputs(scope, graph.dtype());
    List<Tensor> in64 = graph.inputs(scope, DType.FP64);
    RandomGraph.Described exact =
        graph.describe(new ReferenceBackend().eager(scope), in64, DType.FP64);
    RandomGraph.Described eager = graph.describe(backend.eager(scope), in, graph.dtype());
    double epsilon = epsilon(graph.dtype());
    double margin = 2 * largest(errors(exact.values(), eager.values())) + epsilon;
    if (graph.dtype() == DType.FP32 && Deciding.withinMargin(graph, in64, margin)) {
      return false;
    }
    List<Double> eagerErrors = errors(exact.results(), eager.results());
    planned(
        backend,
        graph,
        PlanOptions.FULL,
        in,
        plan -> {
          List<Double> errors = errors(exact.results(), plan);
          for (int i = 0; i < errors.size(); i++) {
            double allowed = 2 * eagerErrors.get(i) + epsilon;
            String what =
                "%s, result %d %s: error %.3g of its largest magnitude, eager %.3g, allowed %.3g"
                    .formatted(
                        graph, i, plan.get(i).spec(), errors.get(i), eagerErrors.get(i), allowed);
            assertTrue(errors.get(i) <= allowed, what);
          }
        });
    return true;
  }

  private static double epsilon(DType dtype) {
    return switch (dtype) {
      case FP64 -> Math.ulp(1.0);
      case FP32 -> Math.ulp(1f);
      case FP16 -> Math.scalb(1.0, -10);
      case BF16 -> Math.scalb(1.0, -7);
      case INT64, INT32, UINT8, BOOL -> 0;
    };
  }

  private static double largest(List<Double> errors) {
    return errors.stream().mapToDouble(e -> e).max().orElse(0);
  }

  private static List<Double> errors(List<Tensor> want, List<Tensor> got) {
    List<Double> errors = new ArrayList<>();
    for (int i = 0; i < want.size(); i++) {
      errors.add(error(want.get(i), got.get(i)));
    }
    return errors;
  }

  /** The largest difference over the largest magnitude. */
  private static double error(Tensor want, Tensor got) {
    double difference = 0;
    double magnitude = 0;
    for (int i = 0; i < want.spec().size(); i++) {
      difference = Math.max(difference, Math.abs(want.at(i) - got.at(i)));
      magnitude = Math.max(magnitude, Math.abs(want.at(i)));
    }
    return difference == 0 ? 0 : difference / magnitude;
  }
}
