package dev.halfcell.nn;

import dev.halfcell.op.Padding2d;
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
    int stride, int dilation, int groups, PaddingMode padding, boolean bias) {
  public ConvolutionOptions {
    ArgumentException.require(stride >= 1, "stride", "at least 1", stride);
    ArgumentException.require(dilation >= 1, "dilation", "at least 1", dilation);
    ArgumentException.require(groups >= 1, "groups", "at least 1", groups);
  }

  /** Stride 1, no dilation, one group, no padding, and a bias. */
  public static ConvolutionOptions defaults() {
    return new ConvolutionOptions(1, 1, 1, PaddingMode.VALID, true);
  }

  /** The same with another stride. */
  public ConvolutionOptions stride(int pixels) {
    return new ConvolutionOptions(pixels, dilation, groups, padding, bias);
  }

  /** The same with another dilation. */
  public ConvolutionOptions dilation(int pixels) {
    return new ConvolutionOptions(stride, pixels, groups, padding, bias);
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

  /** Throws unless channels and kernel are such as a convolution with these options can have. */
  void require(String cell, int inputChannels, int outputChannels, int kernel) {
    int smallest = Math.min(Math.min(inputChannels, outputChannels), kernel);
    ArgumentException.require(smallest >= 1, cell, "channels and a kernel of at least 1", smallest);
    ArgumentException.require(
        inputChannels % groups == 0 && outputChannels % groups == 0,
        cell,
        "channels that " + groups + " groups divide",
        inputChannels + " to " + outputChannels);
  }

  /** How a kernel of this size walks over an image of this size. */
  Conv2dGeometry geometry(int height, int width, int kernel) {
    Padding2d zeros =
        padding.resolve(
            new PaddingMode.Walk(height, kernel, stride, dilation),
            new PaddingMode.Walk(width, kernel, stride, dilation));
    return new Conv2dGeometry(stride, stride, zeros, dilation, dilation, groups);
  }

  /** How a kernel of this size walks along a line of this length, which is an image of height 1. */
  Conv2dGeometry line(int length, int kernel) {
    Padding2d zeros =
        padding.resolve(
            new PaddingMode.Walk(1, 1, 1, 1),
            new PaddingMode.Walk(length, kernel, stride, dilation));
    Padding2d sideways = new Padding2d(0, 0, zeros.left(), zeros.right());
    return new Conv2dGeometry(1, stride, sideways, 1, dilation, groups);
  }
}
