package dev.halfcell.optim;

import dev.halfcell.op.Ops;
import dev.halfcell.op.update.ClipByNorm;
import dev.halfcell.op.update.ClipByValue;
import dev.halfcell.tensor.Tensor;

/**
 * What bounds gradients: unscaled, FP32, behind the check and before the rules. The check and the
 * norm that a step reports see them unbounded.
 */
public sealed interface GradientClip {
  /** Scales all gradients of an optimizer together so that their norm is at most this. */
  static GradientClip byNorm(double largest) {
    return new ByNorm(largest);
  }

  /** Cuts off each element beyond this. */
  static GradientClip byValue(double largest) {
    return new ByValue(largest);
  }

  /** Whether it wants to know the norm. */
  boolean wantsNorm();

  /**
   * A gradient within the bounds.
   *
   * @param norm that of all gradients together
   */
  Tensor apply(Ops ops, Tensor gradient, Tensor norm);

  /** Gradients as they are. */
  record None() implements GradientClip {
    @Override
    public boolean wantsNorm() {
      return false;
    }

    @Override
    public Tensor apply(Ops ops, Tensor gradient, Tensor norm) {
      return gradient;
    }
  }

  /** By the global norm; formula: {@link ClipByNorm}. */
  record ByNorm(double largest) implements GradientClip {
    public ByNorm {
      var _ = new ClipByNorm(largest);
    }

    @Override
    public boolean wantsNorm() {
      return true;
    }

    @Override
    public Tensor apply(Ops ops, Tensor gradient, Tensor norm) {
      return ops.run(new ClipByNorm(largest), gradient, norm);
    }
  }

  /** Element by element; formula: {@link ClipByValue}. */
  record ByValue(double largest) implements GradientClip {
    public ByValue {
      var _ = new ClipByValue(largest);
    }

    @Override
    public boolean wantsNorm() {
      return false;
    }

    @Override
    public Tensor apply(Ops ops, Tensor gradient, Tensor norm) {
      return ops.run(new ClipByValue(largest), gradient);
    }
  }
}
