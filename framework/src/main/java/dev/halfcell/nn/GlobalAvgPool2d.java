package dev.halfcell.nn;

import dev.halfcell.op.Padding2d;
import dev.halfcell.op.pooling.Window2d;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.ShapeException;
import dev.halfcell.tensor.Tensor;

/**
 * The mean of each channel of an image, of whatever size it is.
 *
 * <p>Shapes: x [N, C, H, W], y [N, C]. Op: {@link dev.halfcell.op.pooling.AvgPool2d} with one
 * window as large as the image. Source: Lin, Chen, Yan, "Network in Network", ICLR 2014, section
 * 3.2.
 */
public final class GlobalAvgPool2d extends Cell {
  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    Tensor x = f.only(inputs);
    return f.ops().flatten(f.ops().avgPool2d(whole(f, x), x));
  }

  /** One window over all of an image. */
  static Window2d whole(Forward f, Tensor x) {
    Shape shape = x.shape();
    if (shape.rank() != 4) {
      throw new ShapeException(
          new Problem(
              "GlobalAvgPool2d",
              f.path().text(),
              "x of [N, C, H, W]",
              shape.toString(),
              "Pool before what is flattened."));
    }
    return new Window2d(shape.dim(2), shape.dim(3), 1, 1, Padding2d.of(0));
  }
}
