package dev.halfcell.backend;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Executor;
import dev.halfcell.op.Op;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Records ops instead of running them. What it hands out has a spec and no value. Made for one
 * graph; one thread.
 */
public final class TracingExecutor implements Executor, Variables {
  private final Variables state;
  private final Map<Tensor, Integer> slots = new LinkedHashMap<>();
  private final List<TensorSpec> specs = new ArrayList<>();
  private final List<Integer> inputs = new ArrayList<>();
  private final Map<Variable, Tensor> symbols = new HashMap<>();
  private final Map<Integer, Tensor> constants = new HashMap<>();
  private final List<Graph.Node> nodes = new ArrayList<>();

  /** A recorder of steps that read the variables of {@code state}. */
  public TracingExecutor(Variables state) {
    this.state = state;
  }

  /** A further input of the graph. */
  public Tensor input(TensorSpec spec) {
    Tensor symbol = Tensor.symbol(spec);
    inputs.add(slot(symbol));
    return symbol;
  }

  @Override
  public Tensor read(Variable variable) {
    return symbols.computeIfAbsent(variable, v -> Tensor.symbol(state.read(v).spec()));
  }

  @Override
  public long seed() {
    return state.seed();
  }

  @Override
  public List<Tensor> execute(Op op, List<Tensor> in, CellPath at) {
    in.forEach(tensor -> requireKnown(tensor, op.label(), at));
    List<Tensor> out = op.infer(Tensor.specs(in), at).stream().map(Tensor::symbol).toList();
    nodes.add(new Graph.Node(op, slots(in), slots(out), at));
    return out;
  }

  /** What was recorded, with what it is to yield; dead nodes left out. */
  public Graph graph(Outcome<Tensor> outcome) {
    Outcome<Integer> yielded =
        outcome.map(
            tensor -> {
              requireKnown(tensor, "outcome", CellPath.STEP);
              return slot(tensor);
            });
    Map<Integer, Variable> reads = new HashMap<>();
    symbols.forEach((variable, symbol) -> reads.put(slot(symbol), variable));
    return new Graph(specs, inputs, reads, constants, nodes, yielded).live();
  }

  /** A promise that this recorder did not give would never be kept. */
  private void requireKnown(Tensor tensor, String what, CellPath at) {
    if (tensor.symbolic() && !slots.containsKey(tensor) && !symbols.containsValue(tensor)) {
      throw new UsageException(
          new Problem(
              what,
              at.text(),
              "a tensor of the step that is being traced",
              "the promise of a " + tensor.spec() + " that is none of its inputs or results",
              "Keep no tensor from one call of construct to the next; sample numbers are there in"
                  + " training alone."));
    }
  }

  private List<Integer> slots(List<Tensor> tensors) {
    return tensors.stream().map(this::slot).toList();
  }

  private int slot(Tensor tensor) {
    return slots.computeIfAbsent(
        tensor,
        t -> {
          int slot = specs.size();
          specs.add(t.spec());
          if (!t.symbolic()) {
            constants.put(slot, t);
          }
          return slot;
        });
  }
}
