package dev.halfcell.nn;

import dev.halfcell.op.PrecisionClass;
import dev.halfcell.op.recurrent.Pass;
import dev.halfcell.op.recurrent.Recurrent;
import dev.halfcell.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What LSTM and GRU have in common: layers, directions, and the parameters of each. */
abstract class RecurrentLayers extends Cell {
  private final Recurrence how;
  private final List<Direction> directions = new ArrayList<>(); // layer by layer

  private record Direction(boolean reverse, List<Parameter> parameters) {}

  /** What one layer makes, both directions side by side. */
  private record Outcome(Tensor sequence, Tensor lastState) {}

  RecurrentLayers(Recurrence how, int gates) {
    this.how = how;
    for (int layer = 0; layer < how.layers(); layer++) {
      directions.add(new Direction(false, parameters(layer, "", gates)));
      if (how.bidirectional()) {
        directions.add(new Direction(true, parameters(layer, "_reverse", gates)));
      }
    }
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
    f.expect(inputs.length == 2 ? 2 : 1, inputs);
    Tensor[] lengths = Arrays.copyOfRange(inputs, 1, inputs.length);
    Outcome top = new Outcome(swapped(f, inputs[0]), inputs[0]);
    for (int layer = 0; layer < how.layers(); layer++) {
      top = layer(f, layer, top.sequence(), lengths);
    }
    return switch (how.result()) {
      case SEQUENCE -> swapped(f, top.sequence());
      case LAST_STATE -> top.lastState();
    };
  }

  /** Between the caller's order of axes and [T, N, ...]. */
  private Tensor swapped(Forward f, Tensor x) {
    return how.batchFirst() ? f.ops().transpose(x, 1, 0, 2) : x;
  }

  private Outcome layer(Forward f, int layer, Tensor x, Tensor... lengths) {
    int count = how.directions();
    List<List<Tensor>> out =
        directions.subList(layer * count, (layer + 1) * count).stream()
            .map(direction -> direction(f, direction, x, lengths))
            .toList();
    return new Outcome(sideBySide(f, out, 0), sideBySide(f, out, 1));
  }

  private List<Tensor> direction(Forward f, Direction direction, Tensor x, Tensor... lengths) {
    List<Tensor> in = new ArrayList<>(List.of(x));
    direction.parameters().stream().map(f::read).forEach(in::add);
    in.addAll(Arrays.asList(lengths));
    Pass pass = new Pass(direction.reverse(), false, lengths.length == 1);
    return f.ops().runAll(op(pass), in.toArray(Tensor[]::new));
  }

  private static Tensor sideBySide(Forward f, List<List<Tensor>> out, int output) {
    Tensor[] parts = out.stream().map(o -> o.get(output)).toArray(Tensor[]::new);
    return parts.length == 1 ? parts[0] : f.ops().concat(parts[0].spec().rank() - 1, parts);
  }
}
