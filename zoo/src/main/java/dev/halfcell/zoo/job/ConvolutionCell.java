package dev.halfcell.zoo.job;

import dev.halfcell.nn.Cell;
import dev.halfcell.nn.ConvolutionOptions;
import dev.halfcell.nn.PaddingMode;
import dev.halfcell.op.Padding2d;
import dev.halfcell.op.Size2d;
import dev.halfcell.tensor.ArgumentException;
import java.util.List;
import java.util.Optional;

/** Convolutions and dense layers. */
public sealed interface ConvolutionCell extends CellSpecification {
  /** A fully connected layer. */
  record Dense(
      @Key(value = "Input features.", least = 1, most = Limits.DIMENSION) int inChannels,
      @Key(value = "Output features.", least = 1, most = Limits.DIMENSION) int outChannels,
      @Key(value = "Whether it adds a bias.", otherwise = "true") boolean hasBias)
      implements ConvolutionCell {
    @Override
    public Cell build() {
      Limits.requireElements("Dense", inChannels, outChannels);
      return new dev.halfcell.nn.Dense(inChannels, outChannels, hasBias);
    }
  }

  /** A 2-d convolution. */
  record Conv2d(
      @Key(value = "Input channels.", least = 1, most = Limits.DIMENSION) int inChannels,
      @Key(value = "Output channels.", least = 1, most = Limits.DIMENSION) int outChannels,
      @Key(value = "Rows and columns of the kernel, or one number.", least = 1, most = 2)
          List<Integer> kernelSize,
      @Key(value = "Pixels down and right, or one number.", least = 1, most = 2, otherwise = "1")
          List<Integer> stride,
      @Key(value = "The zeros: valid, same, or so many.", otherwise = "\"valid\"")
          PaddingSpecification padding,
      @Key(value = "Pixels between elements.", least = 1, most = 2, otherwise = "1")
          List<Integer> dilation,
      @Key(value = "Parts of the channels.", least = 1, most = Limits.DIMENSION, otherwise = "1")
          int groups,
      @Key(value = "Whether it adds a bias.", otherwise = "true") boolean hasBias)
      implements ConvolutionCell {
    public Conv2d {
      kernelSize = List.copyOf(kernelSize);
      stride = List.copyOf(stride);
      dilation = List.copyOf(dilation);
    }

    @Override
    public Cell build() {
      Size2d kernel = size("kernelSize", kernelSize);
      Limits.requireElements(
          "Conv2d", outChannels, inChannels / groups, kernel.height(), kernel.width());
      ConvolutionOptions options =
          new ConvolutionOptions(
              size("stride", stride), size("dilation", dilation), groups, padding.mode(), hasBias);
      return new dev.halfcell.nn.Conv2d(inChannels, outChannels, kernel, options);
    }
  }

  /** A 1-d convolution. */
  record Conv1d(
      @Key(value = "Input channels.", least = 1, most = Limits.DIMENSION) int inChannels,
      @Key(value = "Output channels.", least = 1, most = Limits.DIMENSION) int outChannels,
      @Key(value = "Elements of the kernel.", least = 1, most = Limits.DIMENSION) int kernelSize,
      @Key(value = "Places from window to window.", least = 1, otherwise = "1") int stride,
      @Key(value = "The zeros: valid, same, or so many.", otherwise = "\"valid\"")
          PaddingSpecification padding,
      @Key(value = "Places between elements.", least = 1, otherwise = "1") int dilation,
      @Key(value = "Parts of the channels.", least = 1, most = Limits.DIMENSION, otherwise = "1")
          int groups,
      @Key(value = "Whether it adds a bias.", otherwise = "true") boolean hasBias)
      implements ConvolutionCell {
    @Override
    public Cell build() {
      Limits.requireElements("Conv1d", outChannels, inChannels / groups, kernelSize);
      ConvolutionOptions options =
          new ConvolutionOptions(
              new Size2d(1, stride), new Size2d(1, dilation), groups, padding.mode(), hasBias);
      return new dev.halfcell.nn.Conv1d(inChannels, outChannels, kernelSize, options);
    }
  }

  /**
   * How a convolution pads.
   *
   * @param named valid or same
   * @param zeros on each side, instead
   */
  @ShortForm({"named", "zeros"})
  record PaddingSpecification(
      @Key(
              value = "None, or as many as keep the size.",
              words = {"valid", "same"})
          Optional<String> named,
      @Key(value = "Zeros on each side.", least = 0, most = Limits.DIMENSION)
          Optional<Integer> zeros) {
    PaddingMode mode() {
      return zeros
          .<PaddingMode>map(n -> new PaddingMode.Explicit(Padding2d.of(n)))
          .orElseGet(
              () -> named.equals(Optional.of("same")) ? PaddingMode.SAME : PaddingMode.VALID);
    }
  }

  private static Size2d size(String key, List<Integer> sides) {
    ArgumentException.require(
        sides.stream().allMatch(side -> side >= 1 && side <= Limits.DIMENSION),
        key,
        "numbers from 1 to " + Limits.DIMENSION,
        sides);
    return new Size2d(sides.getFirst(), sides.getLast());
  }
}
