package dev.halfcell.amp;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Executor;
import dev.halfcell.op.Op;
import dev.halfcell.tensor.Tensor;
import java.util.List;

/** Computes nothing: hands out promises of what each op infers. */
record Inferring() implements Executor {
  @Override
  public List<Tensor> execute(Op op, List<Tensor> in, CellPath at) {
    return op.infer(Tensor.specs(in), at).stream().map(Tensor::symbol).toList();
  }
}
