package dev.halfcell.op.random;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (x, sample numbers) → x / (1 − rate) where kept, else 0; an element is dropped where its number
 * in [0, 1) is below the rate.
 *
 * <p>Shapes: x [N, ...], sample numbers INT64 [N]. Gradient: the same op on d; the mask is drawn
 * again, not kept. Source: Srivastava et al., "Dropout", JMLR 2014, section 10 (inverted scaling).
 */
public record Dropout(double rate, RandomKey key) implements RandomOp {
  public Dropout {
    ArgumentException.require(
        rate >= 0 && rate < 1, "dropout rate", "at least 0 and below 1", rate);
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must =
        new Requirements(this, in, at).count(2).floating(0).integer(1).rank(1, 1, "[N]");
    must.shape(
        in.get(0).rank() >= 1 && in.get(0).dim(0) == in.get(1).dim(0),
        "a number for each sample",
        "Pass the batch's sample numbers.");
    return in.subList(0, 1);
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    return List.of(b.ops().run(this, b.d(0), b.in(1)));
  }
}
