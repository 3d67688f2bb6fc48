package dev.halfcell.op.update;

import java.util.List;

/**
 * (w, v, gradient, rate) → w', v' with g = gradient + weightDecay · w, v' = momentum · v + g, w' =
 * w − rate · v', or with Nesterov's form w' = w − rate · (g + momentum · v').
 *
 * <p>Source: Sutskever et al., "On the importance of initialization and momentum", ICML 2013,
 * section 2, in the form of MindSpore's nn.Momentum and PyTorch's SGD; decoupled decay: Loshchilov
 * and Hutter, "Decoupled Weight Decay Regularization", ICLR 2019, algorithm 1.
 *
 * @param decoupled whether the decay leaves the gradient alone and shrinks w by rate · weightDecay
 *     instead (SGDW)
 */
public record MomentumRule(double momentum, boolean nesterov, double weightDecay, boolean decoupled)
    implements UpdateRule {
  public MomentumRule {
    HyperParameters.share("momentum", momentum);
    HyperParameters.weightDecay(weightDecay);
  }

  /** With the decay, if any, added to the gradient (L2). */
  public MomentumRule(double momentum, boolean nesterov, double weightDecay) {
    this(momentum, nesterov, weightDecay, false);
  }

  @Override
  public List<String> slots() {
    return List.of("velocity");
  }
}
