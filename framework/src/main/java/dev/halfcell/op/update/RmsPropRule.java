package dev.halfcell.op.update;

import java.util.ArrayList;
import java.util.List;

/**
 * (w, s[, a][, v], gradient, rate) → w', s'[, a'][, v'] with g = gradient + weightDecay · w, s' =
 * smoothing · s + (1 − smoothing) · g², u = g / (√s' + epsilon), v' = momentum · v + u, w' = w −
 * rate · v'. Centered: a' = smoothing · a + (1 − smoothing) · g, and max(0, s' − a'²) in place of
 * s' under the root: a mean of squares less the square of the mean is below 0 by rounding alone.
 * There is no a unless it is centered, and no v without momentum, for then v' = u.
 *
 * <p>Source: Tieleman and Hinton, "Neural Networks for Machine Learning", lecture 6e, 2012;
 * centered and with momentum: Graves, "Generating Sequences With Recurrent Neural Networks", 2013,
 * equations 38 to 45, in the form of PyTorch's RMSprop.
 *
 * @param smoothing the share of the running means that a step keeps
 */
public record RmsPropRule(
    double smoothing, double epsilon, double momentum, boolean centered, double weightDecay)
    implements UpdateRule {
  public RmsPropRule {
    HyperParameters.share("smoothing", smoothing);
    HyperParameters.epsilon(epsilon);
    HyperParameters.share("momentum", momentum);
    HyperParameters.weightDecay(weightDecay);
  }

  @Override
  public List<String> slots() {
    List<String> slots = new ArrayList<>(List.of("mean_square"));
    if (centered) {
      slots.add("mean_gradient");
    }
    if (momentum > 0) {
      slots.add("velocity");
    }
    return List.copyOf(slots);
  }
}
