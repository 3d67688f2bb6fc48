package dev.halfcell.op.update;

import dev.halfcell.tensor.ArgumentException;
import java.util.List;

/**
 * (w, s, gradient, rate) → w', s' with g = gradient + weightDecay · w, s' = s + g², w' = w − rate ·
 * g / (√(initial + s') + epsilon).
 *
 * <p>Source: Duchi, Hazan and Singer, "Adaptive Subgradient Methods for Online Learning and
 * Stochastic Optimization", JMLR 12, 2011, section 1.3 (diagonal form).
 *
 * @param initial what the sum of squares starts from; the slot holds what is added to it
 */
public record AdagradRule(double initial, double epsilon, double weightDecay)
    implements UpdateRule {
  public AdagradRule {
    ArgumentException.require(
        initial >= 0 && Float.isFinite((float) initial),
        "initial accumulator",
        "a finite number, at least 0",
        initial);
    HyperParameters.epsilon(epsilon);
    HyperParameters.weightDecay(weightDecay);
  }

  @Override
  public List<String> slots() {
    return List.of("sum_of_squares");
  }
}
