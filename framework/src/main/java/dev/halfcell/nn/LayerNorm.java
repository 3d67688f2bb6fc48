package dev.halfcell.nn;

import dev.halfcell.op.PrecisionClass;
import dev.halfcell.tensor.Tensor;

/**
 * Normalises each sample over its trailing axes.
 *
 * <p>Shapes: x and y [..., features]; parameters gamma and beta [features], where features are one
 * axis or more. FP32 inside at every level. Op: {@link dev.halfcell.op.normalization.LayerNorm}.
 */
public final class LayerNorm extends Cell implements NormalizationCell {
  private final dev.halfcell.op.normalization.LayerNorm op;
  private final Parameter gamma;
  private final Parameter beta;

  /** Over trailing axes of these sizes, with an epsilon of 1e-5. */
  public LayerNorm(int... features) {
    this(1e-5, features);
  }

  /** Over trailing axes of these sizes. */
  public LayerNorm(double epsilon, int... features) {
    Parameter.requireSizes("LayerNorm", features);
    op = new dev.halfcell.op.normalization.LayerNorm(epsilon);
    gamma = parameter("gamma", new Initializer.Constant(1), features);
    beta = parameter("beta", new Initializer.Constant(0), features);
  }

  @Override
  public PrecisionClass precision() {
    return PrecisionClass.DENY;
  }

  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    return f.ops().run(op, f.only(inputs), f.read(gamma), f.read(beta));
  }
}
