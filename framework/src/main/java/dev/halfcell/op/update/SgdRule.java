package dev.halfcell.op.update;

import java.util.List;

/** (w, gradient, rate) → w' = w − rate · (gradient + weightDecay · w). */
public record SgdRule(double weightDecay) implements UpdateRule {
  public SgdRule {
    HyperParameters.weightDecay(weightDecay);
  }

  @Override
  public List<String> slots() {
    return List.of();
  }
}
