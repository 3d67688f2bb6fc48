package dev.halfcell.op.update;

import dev.halfcell.op.CellPath;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (w, m, v, gradient, rate, applied) → w', m', v' with t = applied + 1, g = gradient + weightDecay
 * · w, m' = beta1 · m + (1 − beta1) · g, v' = beta2 · v + (1 − beta2) · g², w' = w − rate · (m' /
 * (1 − beta1ᵗ)) / (√(v' / (1 − beta2ᵗ)) + epsilon).
 *
 * <p>Shapes: w, m, v and gradient alike, rate a scalar, applied an INT64 scalar: the steps applied
 * before this one. Source: Kingma and Ba, "Adam", ICLR 2015, algorithm 1; decoupled decay:
 * Loshchilov and Hutter, "Decoupled Weight Decay Regularization", ICLR 2019, algorithm 2.
 *
 * @param decoupled whether the decay leaves the gradient alone and shrinks w by rate · weightDecay
 *     instead (AdamW)
 */
public record AdamRule(
    double beta1, double beta2, double epsilon, double weightDecay, boolean decoupled)
    implements Update {
  public AdamRule {
    ArgumentException.require(beta1 >= 0 && beta1 < 1, "beta1", "at least 0 and below 1", beta1);
    ArgumentException.require(beta2 >= 0 && beta2 < 1, "beta2", "at least 0 and below 1", beta2);
    ArgumentException.require((float) epsilon > 0, "epsilon", "a number above 0 in fp32", epsilon);
    WeightDecay.require(weightDecay);
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    WeightDecay.require(this, in, at, 4, 6).dtype(5, 6, DType.INT64).rank(5, 0, "[]");
    return in.subList(0, 3);
  }
}
