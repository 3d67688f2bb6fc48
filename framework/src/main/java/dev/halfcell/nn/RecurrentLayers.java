package dev.halfcell.nn;

import dev.halfcell.op.Ops;
import dev.halfcell.op.PrecisionClass;
import dev.halfcell.op.recurrent.Pass;
import dev.halfcell.op.recurrent.Recurrent;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.ShapeException;
import dev.halfcell.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** What LSTM and GRU have in common: layers, directions, states, and the parameters of each. */
abstract class RecurrentLayers extends Cell {
  private final Recurrence how;
  private final int states;
  private final List<Direction> directions = new ArrayList<>(); // layer by layer
  private final Optional<Dropout> dropout;

  private record Direction(boolean reverse, List<Parameter> parameters) {}

  /** The inputs: what is not there is empty. */
  private record Given(Tensor x, List<Tensor> states, List<Tensor> lengths) {}

  /** Layers with so many gates, which carry so many states. */
  RecurrentLayers(Recurrence how, int gates, int states) {
    this.how = how;
    this.states = states;
    for (int layer = 0; layer < how.layers(); layer++) {
      directions.add(new Direction(false, parameters(layer, "", gates)));
      if (how.bidirectional()) {
        directions.add(new Direction(true, parameters(layer, "_reverse", gates)));
      }
    }
    ArgumentException.require(
        how.dropout() == 0 || how.layers() > 1,
        getClass().getSimpleName() + " dropout",
        "more than one layer to drop between",
        how.layers());
    dropout =
        how.dropout() == 0
            ? Optional.empty()
            : Optional.of(child("dropout", new Dropout(how.dropout())));
  }

  /** The op of one layer in one direction. */
  abstract Recurrent op(Pass pass);

  private List<Parameter> parameters(int layer, String suffix, int gates) {
    Initializer start = new Initializer.Uniform(1 / Math.sqrt(how.hidden()));
    int rows = gates * how.hidden();
    String end = "_l" + layer + suffix;
    return List.of(
        parameter("weight_ih" + end, start, rows, how.inputsOf(layer)),
        parameter("weight_hh" + end, start, rows, how.hidden()),
        parameter("bias_ih" + end, start, rows),
        parameter("bias_hh" + end, start, rows));
  }

  @Override
  public PrecisionClass precision() {
    return PrecisionClass.ALLOW;
  }

  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    return result(f, walk(f, inputs));
  }

  @Override
  protected List<Tensor> constructAll(Forward f, Tensor... inputs) {
    List<List<Tensor>> all = walk(f, inputs);
    List<Tensor> out = new ArrayList<>(List.of(result(f, all)));
    for (int state = 1; state <= states; state++) {
      out.add(stacked(f.ops(), all, state));
    }
    return List.copyOf(out);
  }

  private Tensor result(Forward f, List<List<Tensor>> all) {
    List<List<Tensor>> top = all.subList(all.size() - how.directions(), all.size());
    return switch (how.result()) {
      case SEQUENCE -> swapped(f, sideBySide(f, top, 0));
      case LAST_STATE -> sideBySide(f, top, 1);
    };
  }

  /** The outputs of the op of each direction, layer by layer. */
  private List<List<Tensor>> walk(Forward f, Tensor... inputs) {
    Given given = given(f, inputs);
    List<List<Tensor>> all = new ArrayList<>();
    Tensor x = swapped(f, given.x());
    while (all.size() < directions.size()) {
      int first = all.size();
      for (int i = first; i < first + how.directions(); i++) {
        all.add(direction(f, i, x, given));
      }
      if (all.size() < directions.size()) {
        x = dropped(f, sideBySide(f, all.subList(first, all.size()), 0));
      }
    }
    return all;
  }

  private Given given(Forward f, Tensor... inputs) {
    int last = inputs.length - 1;
    int lengths = last >= 1 && !inputs[last].dtype().floating() ? 1 : 0;
    f.expect(1 + (last > lengths ? states : 0) + lengths, inputs);
    List<Tensor> all = Arrays.asList(inputs);
    f.rank(inputs[0], 3, how.batchFirst() ? "[N, T, I]" : "[T, N, I]");
    List<Tensor> initial = all.subList(1, all.size() - lengths);
    int batch = inputs[0].spec().dim(how.batchFirst() ? 0 : 1);
    initial.forEach(state -> requireState(f, state, batch));
    return new Given(inputs[0], initial, all.subList(all.size() - lengths, all.size()));
  }

  private void requireState(Forward f, Tensor state, int batch) {
    Shape wanted = Shape.of(directions.size(), batch, how.hidden());
    if (!state.shape().equals(wanted)) {
      throw new ShapeException(
          new Problem(
              getClass().getSimpleName(),
              f.path().text(),
              "initial states of " + wanted,
              state.spec().toString(),
              "States are [layers · directions, N, hidden], batch first or not."));
    }
  }

  /** Between the caller's order of axes and [T, N, ...]. */
  private Tensor swapped(Forward f, Tensor x) {
    return how.batchFirst() ? f.ops().transpose(x, 1, 0, 2) : x;
  }

  /** Samples come first where masks are drawn. */
  private Tensor dropped(Forward f, Tensor x) {
    return dropout
        .filter(_ -> f.training())
        .map(cell -> f.call(cell, f.ops().transpose(x, 1, 0, 2)))
        .map(y -> f.ops().transpose(y, 1, 0, 2))
        .orElse(x);
  }

  private List<Tensor> direction(Forward f, int index, Tensor x, Given given) {
    Direction direction = directions.get(index);
    List<Tensor> in = new ArrayList<>(List.of(x));
    direction.parameters().stream().map(f::read).forEach(in::add);
    for (Tensor state : given.states()) {
      in.add(f.ops().squeeze(f.ops().slice(state, 0, index, 1), 0));
    }
    in.addAll(given.lengths());
    Pass pass =
        new Pass(direction.reverse(), !given.states().isEmpty(), !given.lengths().isEmpty());
    return f.ops().runAll(op(pass), in.toArray(Tensor[]::new));
  }

  private static Tensor sideBySide(Forward f, List<List<Tensor>> out, int output) {
    Tensor[] parts = out.stream().map(o -> o.get(output)).toArray(Tensor[]::new);
    return parts.length == 1 ? parts[0] : f.ops().concat(parts[0].spec().rank() - 1, parts);
  }

  private static Tensor stacked(Ops ops, List<List<Tensor>> out, int output) {
    Tensor[] parts =
        IntStream.range(0, out.size())
            .mapToObj(i -> ops.expandDims(out.get(i).get(output), 0))
            .toArray(Tensor[]::new);
    return parts.length == 1 ? parts[0] : ops.concat(0, parts);
  }
}
