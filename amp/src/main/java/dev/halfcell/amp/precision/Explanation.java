package dev.halfcell.amp.precision;

import dev.halfcell.autodiff.Tape;
import dev.halfcell.backend.Capabilities;
import dev.halfcell.backend.Graph;
import dev.halfcell.backend.Outcome;
import dev.halfcell.backend.SavedActivations;
import dev.halfcell.backend.TracingExecutor;
import dev.halfcell.backend.Variable;
import dev.halfcell.backend.Variables;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Promised;
import dev.halfcell.nn.Recording;
import dev.halfcell.op.precision.Casting;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A plan with what it comes to for inputs of certain specs. Immutable; threads may share it.
 *
 * @param level the level that was asked for
 * @param half the 16-bit dtype
 * @param rows a row for each cell, in the order of the network
 * @param notes what own lists say of single ops, and what is unusual of the numerics
 * @param partials for each half that sums of products are to be kept in, the ops of a step that do
 * @param totals the network as a whole
 */
public record Explanation(
    Level level,
    DType half,
    List<PlanRow> rows,
    List<String> notes,
    Map<DType, Long> partials,
    Totals totals) {
  /**
   * A network as a whole.
   *
   * @param cells how many cells it has
   * @param inHalf how many of them compute in half
   * @param castsToHalf the casts to a 16-bit dtype of a forward and backward pass, as described: a
   *     backend may do several at once or inside another kernel; those that widen parameters kept
   *     in half aside
   * @param castsToFull those to FP32
   * @param activationBytes what the forward pass keeps for the backward pass
   * @param bytesSaved how much less that is than in FP32 throughout; below 0 where copies in both
   *     dtypes are kept
   */
  public record Totals(
      int cells,
      long inHalf,
      long castsToHalf,
      long castsToFull,
      long activationBytes,
      long bytesSaved) {}

  public Explanation {
    rows = List.copyOf(rows);
    notes = List.copyOf(notes);
    partials = Collections.unmodifiableMap(new TreeMap<>(partials));
  }

  /**
   * The plan of {@code net} for these inputs, batch axis included. A forward and a backward pass
   * are described on promises of values: nothing is computed.
   *
   * @throws dev.halfcell.tensor.ShapeException where the inputs do not fit, naming the cell
   */
  public static Explanation of(
      Cell net, List<TensorSpec> inputs, Level level, PrecisionOptions options) {
    ArgumentException.require(
        !inputs.isEmpty() && inputs.getFirst().rank() >= 1,
        "Explanation",
        "inputs, the first with a batch axis",
        inputs);
    PrecisionPlan plan = PrecisionPlan.of(net, level, options);
    PrecisionPlan full = new PrecisionPlan(Level.O0, Map.of(), Numerics.defaults(), plan.ends());
    Graph graph = described(net, inputs, plan);
    long kept = SavedActivations.bytes(graph);
    Totals totals =
        new Totals(
            plan.cells().size(),
            plan.cellsInHalf(),
            casts(graph, true),
            casts(graph, false),
            kept,
            SavedActivations.bytes(described(net, inputs, full)) - kept);
    PartialSums sums = new PartialSums(plan, graph);
    Map<DType, Long> partials = sums.counted();
    List<String> notes = new ArrayList<>(plan.notes());
    partials.forEach((dtype, ops) -> notes.add(told(dtype, ops)));
    List<PlanRow> rows = plan.rows().stream().map(sums::told).toList();
    return new Explanation(level, options.half(), rows, notes, partials, totals);
  }

  private static String told(DType partials, long ops) {
    return String.format(
        Locale.ROOT, "%d ops of a training step with %s partials", ops, partials.label());
  }

  /** The same with what a device keeps without computing in it, and what it refuses. */
  public Explanation on(Capabilities device) {
    List<String> more = new ArrayList<>(notes);
    refused(device)
        .forEach(dtype -> more.add("the device refuses %s partials".formatted(dtype.label())));
    return new Explanation(
        level, half, rows.stream().map(row -> on(device, row)).toList(), more, partials, totals);
  }

  /** Whether the device refuses nothing of it. */
  public boolean runsOn(Capabilities device) {
    return refused(device).isEmpty();
  }

  private List<DType> refused(Capabilities device) {
    return partials.entrySet().stream()
        .filter(ops -> ops.getValue() > 0 && !device.partials().contains(ops.getKey()))
        .map(Map.Entry::getKey)
        .toList();
  }

  private static PlanRow on(Capabilities device, PlanRow row) {
    boolean lacking =
        List.of(DType.FP16, DType.BF16).stream()
            .filter(dtype -> !device.computes().contains(dtype))
            .anyMatch(dtype -> row.compute().equals(dtype.label()));
    return lacking ? row.and("the device keeps " + row.compute() + " and computes in fp32") : row;
  }

  private static long casts(Graph graph, boolean half) {
    return graph.nodes().stream()
        .filter(node -> node.op() instanceof Casting cast && cast.to().half() == half)
        .count();
  }

  private static Graph described(Cell net, List<TensorSpec> inputs, PrecisionPlan plan) {
    TracingExecutor tracing = new TracingExecutor(Promised.of(net));
    Tape tape = new Tape(tracing);
    Watched watched = new Watched(tracing, tape, new LinkedHashMap<>());
    Tensor[] in = inputs.stream().map(tracing::input).toArray(Tensor[]::new);
    Tensor samples = tracing.input(TensorSpec.of(DType.INT64, inputs.getFirst().dim(0)));
    Recording recording = new Recording(plan.over(tape), watched, net, samples, true);
    Tensor y = recording.call(net, in);
    List<Tensor> results = new ArrayList<>(List.of(y));
    if (y.dtype().floating()) {
      Map<Tensor, Tensor> gradients = tape.gradients(y, tracing.input(y.spec()));
      watched.parameters().values().stream()
          .filter(gradients::containsKey)
          .forEach(parameter -> results.add(gradients.get(parameter)));
    }
    return tracing.graph(new Outcome<>(results, Optional.empty(), recording.updates()));
  }

  /** Has the tape watch the parameters that are read. */
  private record Watched(Variables declared, Tape tape, Map<Variable, Tensor> parameters)
      implements Variables {
    @Override
    public Tensor read(Variable variable) {
      return variable.kind() == Variable.Kind.PARAMETER
          ? parameters.computeIfAbsent(variable, v -> tape.watch(declared.read(v)))
          : declared.read(variable);
    }

    @Override
    public long seed() {
      return declared.seed();
    }
  }

  /** The explanation as text: a line for each cell, the totals, the notes. */
  public String text() {
    return PlanRow.table(rows)
        + PlanRow.inHalf(rows, totals.inHalf())
        + String.format(
            Locale.ROOT,
            "%d casts in a training step: %d to half, %d to fp32\n",
            totals.castsToHalf() + totals.castsToFull(),
            totals.castsToHalf(),
            totals.castsToFull())
        + String.format(
            Locale.ROOT,
            "%d bytes kept for the backward pass, %d %s than in fp32\n",
            totals.activationBytes(),
            Math.abs(totals.bytesSaved()),
            totals.bytesSaved() < 0 ? "more" : "less")
        + PlanRow.lines(notes);
  }
}
