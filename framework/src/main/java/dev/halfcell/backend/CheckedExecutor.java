package dev.halfcell.backend;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Direction;
import dev.halfcell.op.Executor;
import dev.halfcell.op.Op;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import java.util.List;

/** Holds another executor to the specs that each op infers. */
public record CheckedExecutor(Executor next) implements Executor {
  @Override
  public Executor in(Direction part) {
    return new CheckedExecutor(next.in(part));
  }

  @Override
  public List<Tensor> execute(Op op, List<Tensor> in, CellPath at) {
    List<TensorSpec> inferred = op.infer(Tensor.specs(in), at);
    List<Tensor> out = next.execute(op, in, at);
    if (!Tensor.specs(out).equals(inferred)) {
      throw new UsageException(
          new Problem(
              op.label(),
              at.text(),
              "outputs of " + inferred,
              String.valueOf(Tensor.specs(out)),
              "The backend's kernel is wrong; please report it."));
    }
    return out;
  }
}
