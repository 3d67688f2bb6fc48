package dev.halfcell.nn;

import dev.halfcell.op.pooling.AdaptiveWindow2d;
import dev.halfcell.tensor.Tensor;

/**
 * The mean of each channel of an image, of whatever size it is. Source: Lin, Chen, Yan, "Network in
 * Network", ICLR 2014, section 3.2.
 *
 * <p>Shapes: x [N, C, H, W], y [N, C]. Op: {@link dev.halfcell.op.pooling.AvgPool2d} over {@link
 * AdaptiveWindow2d}.
 */
public final class GlobalAvgPool2d extends Cell {
  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    Tensor x = f.only(inputs);
    f.rank(x, 4, "[N, C, H, W]");
    return f.ops().flatten(f.ops().avgPool2d(AdaptiveWindow2d.GLOBAL, x));
  }
}
