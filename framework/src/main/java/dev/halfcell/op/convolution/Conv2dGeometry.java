package dev.halfcell.op.convolution;

import dev.halfcell.op.Padding2d;
import dev.halfcell.tensor.ArgumentException;

/**
 * How a 2-d convolution walks over its input: output height = (H + top + bottom − dilation · (kH −
 * 1) − 1) / stride + 1, rounded down, and the same for the width.
 *
 * @param strideHeight pixels from one window to the next, downward
 * @param strideWidth pixels from one window to the next, to the right
 * @param padding zeros around the input
 * @param dilationHeight pixels between two rows of the kernel
 * @param dilationWidth pixels between two columns of the kernel
 * @param groups into how many parts the channels are divided; each part sees only its own
 */
public record Conv2dGeometry(
    int strideHeight,
    int strideWidth,
    Padding2d padding,
    int dilationHeight,
    int dilationWidth,
    int groups) {
  /** Stride 1, no padding, no dilation, one group. */
  public static final Conv2dGeometry VALID = square(1, 0);

  public Conv2dGeometry {
    ArgumentException.require(
        Math.min(strideHeight, strideWidth) >= 1,
        "stride",
        "at least 1",
        strideHeight + " x " + strideWidth);
    ArgumentException.require(
        Math.min(dilationHeight, dilationWidth) >= 1,
        "dilation",
        "at least 1",
        dilationHeight + " x " + dilationWidth);
    ArgumentException.require(groups >= 1, "groups", "at least 1", groups);
  }

  /** The same stride and padding on both axes, no dilation, one group. */
  public static Conv2dGeometry square(int stride, int padding) {
    return new Conv2dGeometry(stride, stride, Padding2d.of(padding), 1, 1, 1);
  }

  /** The output height for an input and a kernel height; below 1 where the kernel does not fit. */
  public int outputHeight(int height, int kernel) {
    long padded = (long) height + padding.top() + padding.bottom();
    return size(padded - reachHeight(kernel), strideHeight);
  }

  /** The output width for an input and a kernel width; below 1 where the kernel does not fit. */
  public int outputWidth(int width, int kernel) {
    long padded = (long) width + padding.left() + padding.right();
    return size(padded - reachWidth(kernel), strideWidth);
  }

  /** The rows that a kernel of this height reaches over. */
  long reachHeight(int kernel) {
    return (long) dilationHeight * (kernel - 1) + 1;
  }

  /** The columns that a kernel of this width reaches over. */
  long reachWidth(int kernel) {
    return (long) dilationWidth * (kernel - 1) + 1;
  }

  private static int size(long room, int stride) {
    return room < 0 ? 0 : Math.toIntExact(room / stride + 1);
  }
}
