package dev.halfcell.cpu.kernel;

import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Op;
import dev.halfcell.tensor.Tensor;
import java.util.List;

/**
 * One op computed by the reference backend's loops, on one thread: for ops that are rare and small.
 * The schedule says so, and docs/ops.md lists them with the reason.
 */
final class ReferenceStage {
  private ReferenceStage() {}

  static void add(KernelBuilder builder, Op op, List<Operand> in, List<Operand> out, CellPath at) {
    List<Operand> from = builder.rowMajorIn(in);
    List<Operand> to = builder.rowMajorOut(out);
    builder.note("reference");
    builder.stage(1, _ -> ReferenceBackend.compute(op, tensors(from), tensors(to), at));
  }

  private static List<Tensor> tensors(List<Operand> operands) {
    return operands.stream().map(o -> Tensor.over(o.spec(), o.region().data())).toList();
  }
}
