package dev.halfcell.op.update;

import java.util.List;

/**
 * (w, m, v, gradient, rate, applied) → w', m', v' with t = applied + 1, g = gradient + weightDecay
 * · w, m' = beta1 · m + (1 − beta1) · g, v' = beta2 · v + (1 − beta2) · g², w' = w − rate · (m' /
 * (1 − beta1ᵗ)) / (√(v' / (1 − beta2ᵗ)) + epsilon).
 *
 * <p>Source: Kingma and Ba, "Adam", ICLR 2015, algorithm 1; decoupled decay: Loshchilov and Hutter,
 * "Decoupled Weight Decay Regularization", ICLR 2019, algorithm 2.
 *
 * @param decoupled whether the decay leaves the gradient alone and shrinks w by rate · weightDecay
 *     instead (AdamW)
 */
public record AdamRule(
    double beta1, double beta2, double epsilon, double weightDecay, boolean decoupled)
    implements UpdateRule {
  public AdamRule {
    HyperParameters.share("beta1", beta1);
    HyperParameters.share("beta2", beta2);
    HyperParameters.epsilon(epsilon);
    HyperParameters.weightDecay(weightDecay);
  }

  @Override
  public List<String> slots() {
    return List.of("first_moment", "second_moment");
  }

  @Override
  public boolean counted() {
    return true;
  }
}
