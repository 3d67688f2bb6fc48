package dev.halfcell.train;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Executor;
import dev.halfcell.op.Op;
import dev.halfcell.tensor.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Remembers the first op whose result is not finite. Made for one step. */
final class NonFiniteSearch implements Executor {
  private final Executor next;
  private Optional<String> first = Optional.empty();

  NonFiniteSearch(Executor next) {
    this.next = next;
  }

  /** Looks at what the step is given before anything is computed. */
  void inputs(List<Tensor> inputs) {
    for (int i = 0; i < inputs.size(); i++) {
      look("input " + i + " of the batch", inputs.get(i));
    }
  }

  @Override
  public List<Tensor> execute(Op op, List<Tensor> in, CellPath at) {
    List<Tensor> out = next.execute(op, in, at);
    out.forEach(tensor -> look(op.label() + " at " + at, tensor));
    return out;
  }

  private void look(String where, Tensor tensor) {
    if (first.isEmpty() && tensor.dtype().floating()) {
      first =
          Arrays.stream(tensor.toArray())
              .filter(value -> !Double.isFinite(value))
              .boxed()
              .findFirst()
              .map(value -> where + ": " + value + " in " + tensor.spec());
    }
  }

  Optional<String> first() {
    return first;
  }
}
