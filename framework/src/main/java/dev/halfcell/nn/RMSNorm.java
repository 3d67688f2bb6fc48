package dev.halfcell.nn;

import dev.halfcell.op.PrecisionClass;
import dev.halfcell.op.normalization.RmsNorm;
import dev.halfcell.tensor.Tensor;

/**
 * Divides each sample by the root mean square of its trailing axes.
 *
 * <p>Shapes: x and y [..., features]; parameter gamma [features], where features are one axis or
 * more. FP32 inside at every level. Op: {@link RmsNorm}.
 */
public final class RMSNorm extends Cell implements NormalizationCell {
  private final RmsNorm op;
  private final Parameter gamma;

  /** Over trailing axes of these sizes, with an epsilon of 1e-6. */
  public RMSNorm(int... features) {
    this(1e-6, features);
  }

  /** Over trailing axes of these sizes. */
  public RMSNorm(double epsilon, int... features) {
    Parameter.requireSizes("RMSNorm", features);
    op = new RmsNorm(epsilon);
    gamma = parameter("gamma", new Initializer.Constant(1), features);
  }

  @Override
  public PrecisionClass precision() {
    return PrecisionClass.DENY;
  }

  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    return f.ops().run(op, f.only(inputs), f.read(gamma));
  }
}
