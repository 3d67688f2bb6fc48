package dev.halfcell.nn;

import dev.halfcell.op.Padding2d;
import dev.halfcell.op.Size2d;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.tensor.ArgumentException;

/**
 * What can be chosen of a convolution cell beside its sizes. Immutable.
 *
 * @param stride pixels from one window to the next
 * @param dilation pixels between two elements of the kernel
 * @param groups into how many parts the channels are divided; as many as channels make the
 *     convolution depthwise
 * @param padding how the input is padded
 * @param bias whether each output channel has a number added
 */
public record ConvolutionOptions(
    Size2d stride, Size2d dilation, int groups, PaddingMode padding, boolean bias) {
  public ConvolutionOptions {
    ArgumentException.requirePresent(stride, "stride", "size");
    ArgumentException.requirePresent(dilation, "dilation", "size");
    ArgumentException.require(groups >= 1, "groups", "at least 1", groups);
  }

  /** Stride 1, no dilation, one group, no padding, and a bias. */
  public static ConvolutionOptions defaults() {
    return new ConvolutionOptions(Size2d.square(1), Size2d.square(1), 1, PaddingMode.VALID, true);
  }

  /** The same with another stride. */
  public ConvolutionOptions stride(int pixels) {
    return stride(square("stride", pixels));
  }

  /** The same with a stride for each axis. */
  public ConvolutionOptions stride(Size2d pixels) {
    return new ConvolutionOptions(pixels, dilation, groups, padding, bias);
  }

  /** The same with another dilation. */
  public ConvolutionOptions dilation(int pixels) {
    return dilation(square("dilation", pixels));
  }

  /** The same with a dilation for each axis. */
  public ConvolutionOptions dilation(Size2d pixels) {
    return new ConvolutionOptions(stride, pixels, groups, padding, bias);
  }

  /** The same on both axes, unless below 1, which is an error of {@code what}. */
  static Size2d square(String what, int pixels) {
    ArgumentException.require(pixels >= 1, what, "at least 1", pixels);
    return Size2d.square(pixels);
  }

  /** The same with other groups. */
  public ConvolutionOptions groups(int parts) {
    return new ConvolutionOptions(stride, dilation, parts, padding, bias);
  }

  /** The same with another padding. */
  public ConvolutionOptions padding(PaddingMode mode) {
    return new ConvolutionOptions(stride, dilation, groups, mode, bias);
  }

  /** The same with so many zeros on each side. */
  public ConvolutionOptions padding(int zeros) {
    return padding(new PaddingMode.Explicit(Padding2d.of(zeros)));
  }

  /** The same without a bias, as in front of a normalisation. */
  public ConvolutionOptions noBias() {
    return new ConvolutionOptions(stride, dilation, groups, padding, false);
  }

  /** Throws unless channels are such as a convolution with these options can have. */
  void require(String cell, int inputChannels, int outputChannels) {
    int smallest = Math.min(inputChannels, outputChannels);
    ArgumentException.require(smallest >= 1, cell, "channels of at least 1", smallest);
    ArgumentException.require(
        inputChannels % groups == 0 && outputChannels % groups == 0,
        cell,
        "channels that " + groups + " groups divide",
        inputChannels + " to " + outputChannels);
  }

  /** How a kernel of this size walks over an image of this size. */
  Conv2dGeometry geometry(int height, int width, Size2d kernel) {
    Padding2d zeros =
        padding.resolve(
            new PaddingMode.Walk(height, kernel.height(), stride.height(), dilation.height()),
            new PaddingMode.Walk(width, kernel.width(), stride.width(), dilation.width()));
    return new Conv2dGeometry(
        stride.height(), stride.width(), zeros, dilation.height(), dilation.width(), groups);
  }

  /** How a kernel of this width walks along a line of this length, an image of height 1. */
  Conv2dGeometry line(int length, int kernel) {
    Padding2d zeros =
        padding.resolve(
            new PaddingMode.Walk(1, 1, 1, 1),
            new PaddingMode.Walk(length, kernel, stride.width(), dilation.width()));
    Padding2d sideways = new Padding2d(0, 0, zeros.left(), zeros.right());
    return new Conv2dGeometry(1, stride.width(), sideways, 1, dilation.width(), groups);
  }
}
