package dev.halfcell.verify;

import dev.halfcell.op.Ops;
import dev.halfcell.op.recurrent.Pass;
import dev.halfcell.op.recurrent.Recurrent;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * One recurrent layer from given states: in one direction, or in both with the outputs side by
 * side.
 *
 * @param layer makes the op of one direction
 */
record RecurrentComputation(Function<Pass, Recurrent> layer, boolean bidirectional)
    implements OpComputation {
  /** The gates of an LSTM as the files name them. */
  static final String LSTM_GATES = "i,f,g,o";

  /** Those of a GRU. */
  static final String GRU_GATES = "r,z,n (torch GRU: b_hh of n inside r product)";

  @Override
  public Bound bound() {
    return Bound.SEQUENCE;
  }

  @Override
  public SequencedMap<String, Tensor> outputs(
      Ops ops, Function<String, Tensor> in, TensorScope scope) {
    Tensor[] directions =
        IntStream.range(0, bidirectional ? 2 : 1)
            .mapToObj(direction -> direction(ops, in, direction))
            .toArray(Tensor[]::new);
    Tensor out = bidirectional ? ops.concat(2, directions) : directions[0];
    return new LinkedHashMap<>(Map.of(OUTPUT, out));
  }

  private Tensor direction(Ops ops, Function<String, Tensor> in, int direction) {
    Recurrent op = layer.apply(new Pass(direction == 1, true, false));
    String suffix = direction == 1 ? "_reverse" : "";
    List<Tensor> inputs = new ArrayList<>(List.of(in.apply("x")));
    Stream.of("w_ih", "w_hh", "b_ih", "b_hh")
        .map(name -> in.apply(name + suffix))
        .forEach(inputs::add);
    Stream.of("h0", "c0")
        .limit(op.differentiableOutputs() - 1)
        .map(in)
        .map(state -> ops.squeeze(ops.slice(state, 0, direction, 1), 0))
        .forEach(inputs::add);
    return ops.run(op, inputs.toArray(Tensor[]::new));
  }
}
