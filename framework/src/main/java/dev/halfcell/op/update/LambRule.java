package dev.halfcell.op.update;

import java.util.List;

/**
 * (w, m, v, gradient, rate, applied) → w', m', v' with t = applied + 1, m' = beta1 · m + (1 −
 * beta1) · gradient, v' = beta2 · v + (1 − beta2) · gradient², u = (m' / (1 − beta1ᵗ)) / (√(v' / (1
 * − beta2ᵗ)) + epsilon) + weightDecay · w, w' = w − rate · (‖w‖ / ‖u‖) · u. The norms are Euclidean
 * and over the whole parameter; where one of them is 0 their ratio is 1, so that a parameter that
 * starts at zero moves.
 *
 * <p>Source: You et al., "Large Batch Optimization for Deep Learning: Training BERT in 76 minutes",
 * ICLR 2020, algorithm 2, with φ(z) = z.
 */
public record LambRule(double beta1, double beta2, double epsilon, double weightDecay)
    implements UpdateRule {
  public LambRule {
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
