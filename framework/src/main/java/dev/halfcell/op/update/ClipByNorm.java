package dev.halfcell.op.update;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (gradient, norm) → gradient · min(1, largest / (norm + 1e-6)), where norm is that of all
 * gradients together: a scalar of any floating dtype. Source: Pascanu, Mikolov and Bengio, "On the
 * difficulty of training recurrent neural networks", ICML 2013, algorithm 1, in the form of
 * PyTorch's clip_grad_norm_.
 */
public record ClipByNorm(double largest) implements Clip {
  /** What keeps a norm of 0 from dividing. */
  public static final double EPSILON = 1e-6;

  public ClipByNorm {
    Clip.requireLargest("clip norm", largest);
  }

  /** What gradients of this norm are multiplied by. */
  public double factor(double norm) {
    return Math.min(1, largest / (norm + EPSILON));
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    new Requirements(this, in, at).count(2).floating(0).floating(1).rank(1, 0, "[]");
    return in.subList(0, 1);
  }
}
