package dev.halfcell.op.precision;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Executor;
import dev.halfcell.op.Op;
import dev.halfcell.op.Ops;
import dev.halfcell.op.PrecisionClass;
import dev.halfcell.op.SumOfProducts;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import java.util.List;

/**
 * Matrix products and convolutions whose running sums are kept in {@code dtype}: products are
 * exact, and the sum is rounded to nearest even after each of them; a number that is too large
 * becomes an infinity. Of 10,000 times 0.0001, FP16 makes 0.25, where the sum no longer moves.
 *
 * <p>A sum begins at 0 and takes its products in the order of the indices. Those of a matrix
 * product run along the inner axis; of a convolution over input channel, kernel row, kernel column;
 * of its gradient by the input (and of a transposed convolution) over output channel, kernel row,
 * kernel column; of its gradient by the weight over sample, row, column. A bias comes last. The
 * result is then in its usual dtype.
 *
 * <p>Gradient: that of the op, whose own sums of products are kept in {@code dtype} as well, those
 * of a parameter too, which leave the kernel in FP32. Plain sums, such as the gradient of a bias,
 * are none of products. Source: Graphcore, "Training a model using half- and mixed-precision", on
 * partials: {@code partialsType} of matrix products and of convolutions, in all passes. The order
 * is this project's; a machine's is its own.
 *
 * @param of the op
 * @param dtype what its running sums are kept in
 */
public record WithPartials(SumOfProducts of, DType dtype) implements Precision {
  public WithPartials {
    ArgumentException.require(
        dtype.floating(), "partials", "a floating dtype to keep sums in", dtype.label());
  }

  /** The op with these partials, where it sums products; else the op itself. */
  public static Op in(Op op, DType dtype) {
    return op instanceof SumOfProducts sum ? new WithPartials(sum, dtype) : op;
  }

  /** Its inputs are as a plan has chosen them. */
  @Override
  public PrecisionClass precision() {
    return PrecisionClass.KEEP;
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    return of.infer(in, at);
  }

  @Override
  public long multiplyAdds(List<TensorSpec> in) {
    return of.multiplyAdds(in);
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    Executor below = b.ops().executor();
    Executor partial = (op, in, at) -> below.execute(in(op, dtype), in, at);
    Ops ops = new Ops(partial, b.ops().at());
    return of.gradient(new Backward(ops, of, b.in(), b.out(), b.gradients(), b.parameters()));
  }

  @Override
  public String label() {
    return of.label() + " with " + dtype.label() + " partials";
  }

  /** What a backend throws that does not offer them. */
  public UsageException refused(CellPath at) {
    return new UsageException(
        new Problem(
            label(),
            at.text(),
            "a backend that keeps sums of products in " + dtype.label() + " on request",
            "one that keeps them in fp32",
            "Take the reference backend, or leave partials("
                + dtype.name()
                + ") out for this cell: partials(\""
                + at.text()
                + "\", FP32)."));
  }
}
