package dev.halfcell.op.update;

import dev.halfcell.tensor.ArgumentException;
import java.util.List;

/**
 * (w, v, gradient, rate) → w', v' with local = trust · ‖w‖ / (‖gradient‖ + weightDecay · ‖w‖), v' =
 * momentum · v + rate · local · (gradient + weightDecay · w), w' = w − v'. The norms are Euclidean
 * and over the whole parameter; where ‖w‖ or ‖gradient‖ is 0, local is 1, so that a parameter that
 * starts at zero moves.
 *
 * <p>Source: You, Gitman and Ginsburg, "Large Batch Training of Convolutional Networks", 2017,
 * algorithm 1.
 *
 * @param trust how much of a parameter's norm a step may change: η of the paper
 */
public record LarsRule(double trust, double momentum, double weightDecay) implements UpdateRule {
  public LarsRule {
    ArgumentException.require(
        (float) trust > 0 && Float.isFinite((float) trust),
        "trust coefficient",
        "a finite number above 0 in fp32",
        trust);
    HyperParameters.share("momentum", momentum);
    HyperParameters.weightDecay(weightDecay);
  }

  @Override
  public List<String> slots() {
    return List.of("velocity");
  }
}
