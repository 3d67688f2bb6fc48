package dev.halfcell.verify;

import dev.halfcell.op.Op;
import dev.halfcell.op.Ops;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Function;

/** What a file of one op computes. */
@FunctionalInterface
interface OpComputation {
  /** The name of the output that is differentiated. */
  String OUTPUT = "out";

  /**
   * The outputs by the names that the file has for them, from the inputs by theirs; the scope is
   * for constants.
   */
  SequencedMap<String, Tensor> outputs(Ops ops, Function<String, Tensor> in, TensorScope scope);

  /** How far results may be from those of the file. */
  default Bound bound() {
    return Bound.STANDARD;
  }

  /** One op on these inputs. */
  static OpComputation of(Op op, String... inputs) {
    return (ops, in, _) ->
        new LinkedHashMap<>(
            Map.of(OUTPUT, ops.run(op, Arrays.stream(inputs).map(in).toArray(Tensor[]::new))));
  }
}
