package dev.halfcell.autodiff;

import dev.halfcell.autodiff.Gradient.Rows;
import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Direction;
import dev.halfcell.op.Executor;
import dev.halfcell.op.Op;
import dev.halfcell.op.Ops;
import dev.halfcell.op.indexing.Embedding;
import dev.halfcell.op.precision.Casting;
import dev.halfcell.op.shape.Reshape;
import dev.halfcell.op.shape.Slice;
import dev.halfcell.op.shape.Transpose;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.UsageException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Automatic differentiation in reverse mode as a decorator. It knows no op: a gradient is made of
 * ops that run below the tape, so they are traced or executed like any other. Made for one step;
 * one thread.
 *
 * <p>Source: Griewank and Walther, "Evaluating Derivatives", 2nd edition, section 3.2.
 */
public final class Tape implements Executor {
  private record Entry(Op op, List<Tensor> in, List<Tensor> out, CellPath at) {}

  private final Executor next;
  private final Executor backward;
  private final List<Entry> entries = new ArrayList<>();
  private final Set<Tensor> parameters = new HashSet<>();
  private final Set<Tensor> active = new HashSet<>();

  /** A tape over {@code next}, which executes the ops and their gradients. */
  public Tape(Executor next) {
    this.next = next;
    this.backward = next.in(Direction.BACKWARD);
  }

  /**
   * Makes a parameter something to differentiate by; its gradient, and that of any cast, part or
   * other arrangement of it, comes in FP32.
   */
  public Tensor watch(Tensor parameter) {
    parameters.add(parameter);
    active.add(parameter);
    return parameter;
  }

  /** Makes an input something to differentiate by; its gradient comes in its own dtype. */
  public Tensor watchInput(Tensor input) {
    active.add(input);
    return input;
  }

  @Override
  public List<Tensor> execute(Op op, List<Tensor> in, CellPath at) {
    List<Tensor> out = next.execute(op, in, at);
    if (in.stream().anyMatch(active::contains)) {
      entries.add(new Entry(op, in, out, at));
      active.addAll(out);
    }
    if (moves(op) && parameters.contains(in.getFirst())) {
      parameters.addAll(out);
    }
    return out;
  }

  /** Whether the gradient of what it makes of a parameter is the parameter's, in other places. */
  private static boolean moves(Op op) {
    return op instanceof Casting
        || op instanceof Reshape
        || op instanceof Slice
        || op instanceof Transpose;
  }

  /**
   * The gradient of {@code loss} by everything it depends on, in a map that compares tensors by
   * identity. Asked again, it computes again: nothing is accumulated and nothing released.
   *
   * @param seed the gradient of the loss by itself: 1, or the loss scale
   */
  public Map<Tensor, Tensor> gradients(Tensor loss, Tensor seed) {
    return gradients(Map.of(loss, seed));
  }

  /** The same for several results at once, each with the gradient that it is seeded with. */
  public Map<Tensor, Tensor> gradients(Map<Tensor, Tensor> seeds) {
    Ops ops = new Ops(backward, CellPath.STEP);
    Map<Tensor, Tensor> dense = new LinkedHashMap<>();
    backward(seeds).forEach((tensor, gradient) -> dense.put(tensor, gradient.dense(ops)));
    return dense;
  }

  /**
   * The same, where the gradient of a parameter from which rows were looked up, once and sparsely,
   * stays {@link Gradient.Rows}. A table that is used in any other way too gets it whole.
   */
  public Map<Tensor, Gradient> backward(Map<Tensor, Tensor> seeds) {
    seeds.forEach(Tape::requireSeed);
    Map<Tensor, Gradient> gradients = new LinkedHashMap<>();
    seeds.forEach((tensor, seed) -> gradients.put(tensor, new Gradient.Dense(seed)));
    for (Entry entry : entries.reversed()) {
      requireDifferentiable(entry, gradients.keySet());
      List<Optional<Gradient>> ofOutputs =
          entry.out().stream()
              .limit(entry.op().differentiableOutputs())
              .map(out -> Optional.ofNullable(gradients.get(out)))
              .toList();
      if (ofOutputs.stream().anyMatch(Optional::isPresent)) {
        add(gradients, entry, ofOutputs);
      }
    }
    return gradients;
  }

  /** A loss of positions or saved statistics would silently miss a part of its gradient. */
  private static void requireDifferentiable(Entry entry, Set<Tensor> reached) {
    int differentiable = entry.op().differentiableOutputs();
    for (int i = differentiable; i < entry.out().size(); i++) {
      if (reached.contains(entry.out().get(i))) {
        throw new UsageException(
            new Problem(
                entry.op().label(),
                entry.at().text(),
                "a loss that depends on the first " + differentiable + " outputs alone",
                "one that depends on output " + i + ", which has no gradient",
                "Compute it by other ops, or keep it out of the loss."));
      }
    }
  }

  private static void requireSeed(Tensor result, Tensor seed) {
    if (!seed.spec().equals(result.spec())) {
      throw new UsageException(
          new Problem(
              "gradient",
              "",
              "a seed of " + result.spec() + ", like the result it belongs to",
              seed.spec().toString(),
              "Reduce the result to a scalar loss, or pass a gradient of its shape."));
    }
  }

  private void add(
      Map<Tensor, Gradient> gradients, Entry entry, List<Optional<Gradient>> ofOutputs) {
    Ops ops = new Ops(backward, entry.at());
    List<Gradient> leading = leading(ops, entry, ofOutputs);
    for (int i = 0; i < leading.size(); i++) {
      if (active.contains(entry.in().get(i))) {
        gradients.merge(entry.in().get(i), leading.get(i), (a, b) -> sum(ops, a, b));
      }
    }
  }

  /** Two dense tensors: where rows meet something else, the gradient is summed whole. */
  private static Gradient sum(Ops ops, Gradient a, Gradient b) {
    return new Gradient.Dense(ops.add(a.dense(ops), b.dense(ops)));
  }

  private List<Gradient> leading(Ops ops, Entry entry, List<Optional<Gradient>> ofOutputs) {
    if (entry.op() instanceof Casting && ofOutputs.getFirst().orElse(null) instanceof Rows rows) {
      DType wide = entry.in().getFirst().dtype().wide();
      return List.of(rows.map(values -> ops.cast(values, wide)));
    }
    List<Optional<Tensor>> dense =
        ofOutputs.stream().map(gradient -> gradient.map(g -> g.dense(ops))).toList();
    Backward backward =
        new Backward(ops, entry.op(), entry.in(), entry.out(), dense, parameters::contains);
    if (entry.op() instanceof Embedding lookUp && lookUp.sparse() && backward.wide(0)) {
      List<Tensor> rows = lookUp.rows(backward);
      Shape table = entry.in().getFirst().shape();
      return List.of(new Rows(rows.get(0), rows.get(1), rows.get(2), table));
    }
    return entry.op().gradient(backward).stream().<Gradient>map(Gradient.Dense::new).toList();
  }
}
