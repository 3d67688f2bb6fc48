package dev.halfcell.backend;

import dev.halfcell.backend.reference.Kernels;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Executor;
import dev.halfcell.op.Op;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import java.util.List;

/** Allocates what an op infers and computes into it, so that specs are right by construction. */
record ReferenceExecutor(TensorScope scope) implements Executor {
  @Override
  public List<Tensor> execute(Op op, List<Tensor> in, CellPath at) {
    List<Tensor> out = op.infer(Tensor.specs(in), at).stream().map(scope::allocate).toList();
    try (TensorScope.Hold _ = TensorScope.hold(in);
        TensorScope.Hold _ = scope.hold()) {
      Kernels.run(op, in, out, at);
    }
    return out;
  }
}
