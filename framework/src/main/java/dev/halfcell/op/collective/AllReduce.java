package dev.halfcell.op.collective;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (x) → y: at each place the sum, mean, largest or smallest of what all ranks have there, in the
 * order of the ranks, so that all get the same bits. One rank gets x.
 *
 * <p>Shapes: x any and the same on every rank. Dtypes: any; a mean wants floating ones, and of
 * truth values there is a largest (or) and a smallest (and) alone. NaN: of a sum, mean, largest or
 * smallest a NaN makes a NaN. Source: MPI: A Message-Passing Interface Standard 4.1, section 6.9.6
 * (MPI_Allreduce).
 */
public record AllReduce(Reduction reduction) implements CollectiveOp {
  /** What becomes of the numbers of all ranks at one place. */
  public enum Reduction {
    /** Their sum. */
    SUM,
    /** Their sum over the number of ranks. */
    MEAN,
    /** The largest. */
    MAX,
    /** The smallest. */
    MIN
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must = new Requirements(this, in, at).count(1);
    DType dtype = in.getFirst().dtype();
    must.dtype(
        switch (reduction) {
          case MEAN -> dtype.floating();
          case SUM -> dtype != DType.BOOL;
          case MAX, MIN -> true;
        },
        reduction == Reduction.MEAN ? "floating numbers for a mean" : "numbers for a sum",
        "Cast the input, or take another reduction.");
    return in;
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    throw b.none();
  }
}
