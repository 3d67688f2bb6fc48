package dev.halfcell.nn;

import dev.halfcell.op.Padding2d;
import dev.halfcell.op.pooling.Window2d;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;

/**
 * The largest value of each window along the last axis.
 *
 * <p>Shapes: x [N, C, L], y [N, C, L'] with L' = (L + 2 · padding − size) / stride + 1, rounded
 * down. Op: {@link dev.halfcell.op.pooling.MaxPool2d} on an image with one row.
 */
public final class MaxPool1d extends Cell {
  private final Window2d window;

  /** Windows side by side. */
  public MaxPool1d(int size) {
    this(size, size, 0);
  }

  /** Any windows. */
  public MaxPool1d(int size, int stride, int padding) {
    window = new Window2d(1, size, 1, stride, new Padding2d(0, 0, padding, padding));
  }

  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    Tensor line = f.only(inputs);
    f.rank(line, 3, "[N, C, L]");
    Shape x = line.shape();
    Tensor image = f.ops().reshape(line, Shape.of(x.dim(0), x.dim(1), 1, x.dim(2)));
    Tensor y = f.ops().maxPool2d(window, image);
    return f.ops().reshape(y, Shape.of(x.dim(0), x.dim(1), y.spec().dim(3)));
  }
}
