package dev.halfcell.cpu.kernel;

import dev.halfcell.backend.Collective;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.collective.AllReduce;
import dev.halfcell.op.collective.CollectiveOp;
import dev.halfcell.tensor.Tensor;

/** What ranks do together: each puts its values where the result goes, and the others' come. */
final class CollectiveKernels {
  private CollectiveKernels() {}

  static void build(KernelBuilder builder, CollectiveOp op, Operand in, Operand out, CellPath at) {
    Operand x = builder.in(in, in.dtype(), Layout.ROW_MAJOR);
    Operand y = builder.out(out, out.dtype(), Layout.ROW_MAJOR);
    Collective ranks = builder.collective();
    Flat.copy(builder, x, y);
    switch (op) {
      case AllReduce(var reduction) ->
          builder.stage(
              1, _ -> ranks.allReduce(reduction, Tensor.over(y.spec(), y.region().data()), at));
    }
  }
}
