package dev.halfcell.zoo;

import dev.halfcell.nn.BatchNorm2d;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Conv2d;
import dev.halfcell.nn.ConvolutionOptions;
import dev.halfcell.nn.Forward;
import dev.halfcell.nn.ReLU;
import dev.halfcell.nn.Residual;
import dev.halfcell.nn.Sequential;
import dev.halfcell.tensor.Tensor;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A block of a residual network: convolutions, each followed by a batch normalisation, plus a
 * shortcut; then ReLU. The shortcut is the identity where it can be, else a convolution of 1 x 1
 * with a batch normalisation (option B of the paper). No convolution has a bias, for a
 * normalisation follows it.
 *
 * <p>Source: He et al., "Deep Residual Learning for Image Recognition", CVPR 2016, figures 2 and 5.
 */
final class ResidualBlock extends Cell {
  private static final int EXPANSION = 4;

  private final Cell residual;
  private final Cell relu;

  private ResidualBlock(Map<String, Cell> branch, int input, int output, int stride) {
    Cell main = new Sequential(branch);
    boolean same = input == output && stride == 1;
    residual =
        wrapped(same ? new Residual(main) : new Residual(main, projection(input, output, stride)));
    relu = child("relu", new ReLU());
  }

  /** Two convolutions of 3 x 3, the first of which strides: the block of the shallower networks. */
  static ResidualBlock basic(int input, int output, int stride) {
    Map<String, Cell> branch = new LinkedHashMap<>();
    convolution(branch, 1, input, output, 3, stride);
    branch.put("relu1", new ReLU());
    convolution(branch, 2, output, output, 3, 1);
    return new ResidualBlock(branch, input, output, stride);
  }

  /**
   * Convolutions of 1 x 1 to {@code inner} channels, 3 x 3, and 1 x 1 to four times as many. The
   * middle one strides, which is version 1.5; in the paper it is the first.
   */
  static ResidualBlock bottleneck(int input, int inner, int stride) {
    Map<String, Cell> branch = new LinkedHashMap<>();
    convolution(branch, 1, input, inner, 1, 1);
    branch.put("relu1", new ReLU());
    convolution(branch, 2, inner, inner, 3, stride);
    branch.put("relu2", new ReLU());
    convolution(branch, 3, inner, bottleneckOutput(inner), 1, 1);
    return new ResidualBlock(branch, input, bottleneckOutput(inner), stride);
  }

  /** The channels that a {@link #bottleneck} yields. */
  static int bottleneckOutput(int inner) {
    return EXPANSION * inner;
  }

  /** Adds a convolution that keeps the image's size but for its stride, and its normalisation. */
  static void convolution(
      Map<String, Cell> cells, int number, int input, int output, int kernel, int stride) {
    cells.put("conv" + number, convolution(input, output, kernel, stride));
    cells.put("bn" + number, new BatchNorm2d(output));
  }

  private static Conv2d convolution(int input, int output, int kernel, int stride) {
    ConvolutionOptions options = ConvolutionOptions.defaults().stride(stride).noBias();
    return new Conv2d(input, output, kernel, options.padding(kernel / 2));
  }

  private static Cell projection(int input, int output, int stride) {
    Map<String, Cell> cells = new LinkedHashMap<>();
    cells.put("conv", convolution(input, output, 1, stride));
    cells.put("bn", new BatchNorm2d(output));
    return new Sequential(cells);
  }

  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    return f.call(relu, f.call(residual, inputs));
  }
}
