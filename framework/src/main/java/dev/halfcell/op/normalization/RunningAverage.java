package dev.halfcell.op.normalization;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.PrecisionClass;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (running, batch) → momentum · running + (1 − momentum) · factor · batch.
 *
 * <p>Shapes: all alike. MindSpore's momentum: the share that is kept (PyTorch's is the share that
 * is taken in).
 *
 * @param factor what the batch's value is multiplied by first: M / (M − 1) makes a biased variance
 *     of M elements unbiased
 */
public record RunningAverage(double momentum, double factor) implements Normalization {
  public RunningAverage {
    requireMomentum("RunningAverage", momentum);
    ArgumentException.require(
        factor > 0 && Double.isFinite(factor),
        "RunningAverage factor",
        "a finite number above 0",
        factor);
  }

  /** Demands a share. */
  public static void requireMomentum(String op, double momentum) {
    ArgumentException.require(momentum >= 0 && momentum <= 1, op + " momentum", "0 to 1", momentum);
  }

  @Override
  public PrecisionClass precision() {
    return PrecisionClass.FULL;
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    new Requirements(this, in, at)
        .count(2)
        .floating(0)
        .shape(
            in.getFirst().equals(in.getLast()),
            "two equal specs",
            "Both have an element for each channel.");
    return in.subList(0, 1);
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    throw b.none();
  }
}
