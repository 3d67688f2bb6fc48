package dev.halfcell.amp;

import dev.halfcell.amp.precision.Level;
import dev.halfcell.backend.Graph;
import dev.halfcell.backend.PlanReport;
import dev.halfcell.backend.Variable;
import dev.halfcell.data.Batch;
import dev.halfcell.nn.Cell;
import dev.halfcell.op.precision.Cast;
import dev.halfcell.op.precision.Unscale;
import dev.halfcell.optim.Optimizer;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.Execution;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What a training step takes at each level, before any training: bytes from its graph, its state
 * and its plan, and the time where it was measured. Immutable; threads may share it.
 *
 * @param rows a row for each level, in the order in which they were asked for
 */
public record LevelComparison(List<Row> rows) {
  private static final int WARM_UP = 2;

  /**
   * One level.
   *
   * @param parameters the bytes of what is trained, which is kept once; where that is FP32 it is
   *     the master copy
   * @param slots the bytes of the optimizer's memory
   * @param gradients the bytes of the parameters' gradients
   * @param activations the bytes that the forward pass keeps for the backward pass, in the plan
   * @param castCopies the bytes of copies of parameters in another dtype that a step describes; a
   *     backend may fold some of them into a kernel
   * @param casts how many casts a step describes, of parameters and of all else
   * @param peak all bytes that the plan allocates for itself
   * @param milliseconds the median time of a step; none where it was not measured
   */
  public record Row(
      Level level,
      long parameters,
      long slots,
      long gradients,
      long activations,
      long castCopies,
      long casts,
      long peak,
      OptionalDouble milliseconds) {}

  /** What is compared: one training, to be built at several levels. */
  public record Training(Cell net, Cell loss, Optimizer optimizer, AmpOptions options) {
    public Training {
      RunOptions run = options.run();
      ArgumentException.require(
          run.diagnosis().execution(run.execution()) instanceof Execution.Planned,
          "LevelComparison",
          "steps that are compiled",
          "steps that run op by op");
      ArgumentException.require(
          run.state().isEmpty(), "LevelComparison", "a state for each level", "one state");
    }

    private TrainStepCell build(Level level) {
      return Amp.buildTrainNetwork(net, loss, optimizer, level, options);
    }
  }

  public LevelComparison {
    rows = List.copyOf(rows);
  }

  /**
   * Compares these levels without a step taken.
   *
   * @param inputs the specs of data and label, batch axis included
   */
  public static LevelComparison of(Training training, List<TensorSpec> inputs, Level... levels) {
    require(levels);
    Batch.requireRows(inputs);
    List<Row> rows = new ArrayList<>();
    for (Level level : levels) {
      try (TrainStepCell train = training.build(level)) {
        rows.add(row(level, train, inputs, OptionalDouble.empty()));
      }
    }
    return new LevelComparison(rows);
  }

  /** The same with the median time of {@code steps} steps on this batch, after two that warm up. */
  public static LevelComparison measured(
      Training training, List<Tensor> inputs, int steps, Level... levels) {
    require(levels);
    ArgumentException.require(steps >= 1, "LevelComparison", "at least 1 step", steps);
    List<Row> rows = new ArrayList<>();
    for (Level level : levels) {
      try (TrainStepCell train = training.build(level)) {
        double median = median(train, inputs, steps);
        rows.add(row(level, train, Tensor.specs(inputs), OptionalDouble.of(median)));
      }
    }
    return new LevelComparison(rows);
  }

  private static void require(Level... levels) {
    ArgumentException.require(levels.length > 0, "LevelComparison", "at least one level", "none");
  }

  private static double median(TrainStepCell train, List<Tensor> inputs, int steps) {
    Tensor[] batch = inputs.toArray(Tensor[]::new);
    double[] milliseconds = new double[steps];
    for (int step = -WARM_UP; step < steps; step++) {
      long start = System.nanoTime();
      var _ = train.run(batch);
      if (step >= 0) {
        milliseconds[step] = (System.nanoTime() - start) / 1e6;
      }
    }
    Arrays.sort(milliseconds);
    return (milliseconds[(steps - 1) / 2] + milliseconds[steps / 2]) / 2;
  }

  private static Row row(
      Level level, TrainStepCell train, List<TensorSpec> inputs, OptionalDouble milliseconds) {
    List<TensorSpec> signature = new ArrayList<>(inputs);
    signature.add(TensorSpec.of(DType.INT64, inputs.getFirst().dim(0)));
    Graph graph = train.loop().trace(signature).live();
    PlanReport plan = train.loop().report(signature);
    Predicate<Graph.Node> cast = node -> node.op() instanceof Cast;
    return new Row(
        level,
        state(train, Variable.Kind.PARAMETER),
        state(train, Variable.Kind.SLOT),
        outputs(graph, node -> node.op() instanceof Unscale),
        plan.activationBytes(),
        outputs(graph, cast.and(node -> parameter(graph, node))),
        graph.nodes().stream().filter(cast).count(),
        plan.peakBytes(),
        milliseconds);
  }

  private static long state(TrainStepCell train, Variable.Kind kind) {
    return train.state().values().entrySet().stream()
        .filter(entry -> entry.getKey().kind() == kind)
        .mapToLong(entry -> entry.getValue().spec().bytes())
        .sum();
  }

  private static boolean parameter(Graph graph, Graph.Node node) {
    Variable read = graph.reads().get(node.in().getFirst());
    return read != null && read.kind() == Variable.Kind.PARAMETER;
  }

  private static long outputs(Graph graph, Predicate<Graph.Node> of) {
    return graph.nodes().stream()
        .filter(of)
        .flatMap(node -> node.out().stream())
        .mapToLong(slot -> graph.slots().get(slot).bytes())
        .sum();
  }

  /** The names of what {@link #cells} gives for each row. */
  public static List<String> columns() {
    return List.of(
        "level",
        "parameters",
        "slots",
        "gradients",
        "activations",
        "cast copies",
        "casts",
        "plan's peak",
        "ms/step");
  }

  /** The rows as text, a list for each, in the order of {@link #columns}; memory in bytes. */
  public List<List<String>> cells() {
    return rows.stream()
        .map(
            row ->
                List.of(
                    row.level().label(),
                    count(row.parameters()),
                    count(row.slots()),
                    count(row.gradients()),
                    count(row.activations()),
                    count(row.castCopies()),
                    count(row.casts()),
                    count(row.peak()),
                    row.milliseconds().isPresent()
                        ? String.format(Locale.ROOT, "%.2f", row.milliseconds().getAsDouble())
                        : "-"))
        .toList();
  }

  private static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** The comparison as text, a line for each level. */
  public String text() {
    List<List<String>> lines = new ArrayList<>(List.of(columns()));
    lines.addAll(cells());
    return lines.stream()
        .map(
            line ->
                line.stream()
                    .map(cell -> String.format(Locale.ROOT, "%13s", cell))
                    .collect(Collectors.joining())
                    .stripTrailing())
        .collect(Collectors.joining(System.lineSeparator(), "", System.lineSeparator()));
  }
}
