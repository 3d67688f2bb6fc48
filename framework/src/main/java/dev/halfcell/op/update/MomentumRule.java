package dev.halfcell.op.update;

import dev.halfcell.op.CellPath;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (w, v, gradient, rate) → w', v' with g = gradient + weightDecay · w, v' = momentum · v + g, w' =
 * w − rate · v', or with Nesterov's form w' = w − rate · (g + momentum · v').
 *
 * <p>Shapes: w, v and gradient alike, rate a scalar. Source: Sutskever et al., "On the importance
 * of initialization and momentum", ICML 2013, section 2, in the form of MindSpore's nn.Momentum and
 * PyTorch's SGD.
 */
public record MomentumRule(double momentum, boolean nesterov, double weightDecay)
    implements Update {
  public MomentumRule {
    ArgumentException.require(
        momentum >= 0 && momentum < 1, "momentum", "at least 0 and below 1", momentum);
    WeightDecay.require(weightDecay);
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    WeightDecay.require(this, in, at, 3, 4);
    return in.subList(0, 2);
  }
}
