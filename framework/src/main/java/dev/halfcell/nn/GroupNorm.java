package dev.halfcell.nn;

import dev.halfcell.op.PrecisionClass;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Tensor;

/**
 * Normalises each sample over groups of neighbouring channels, with all their positions.
 *
 * <p>Shapes: x and y [N, channels, ...]; parameters gamma and beta [channels]. FP32 inside at every
 * level. Op: {@link dev.halfcell.op.normalization.GroupNorm}.
 */
public final class GroupNorm extends Cell implements NormalizationCell {
  private final dev.halfcell.op.normalization.GroupNorm op;
  private final Parameter gamma;
  private final Parameter beta;

  /** An epsilon of 1e-5. */
  public GroupNorm(int groups, int channels) {
    this(groups, channels, 1e-5);
  }

  /** {@code groups} groups, which have to divide the channels. */
  public GroupNorm(int groups, int channels, double epsilon) {
    op = new dev.halfcell.op.normalization.GroupNorm(groups, epsilon);
    Parameter.requireSizes("GroupNorm", channels);
    ArgumentException.require(
        channels % groups == 0,
        "GroupNorm",
        "groups that divide the " + channels + " channels",
        groups);
    gamma = parameter("gamma", new Initializer.Constant(1), channels);
    beta = parameter("beta", new Initializer.Constant(0), channels);
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
