package dev.halfcell.nn;

import dev.halfcell.op.PrecisionClass;
import dev.halfcell.op.Size2d;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.tensor.Tensor;
import java.util.Optional;

/**
 * A 2-d convolution.
 *
 * <p>Shapes: x [N, inputChannels, H, W], y [N, outputChannels, H', W'] as {@link Conv2dGeometry}
 * says; parameters weight [outputChannels, inputChannels / groups, kH, kW] and, unless left out,
 * bias [outputChannels]. Unless told otherwise the weight starts as {@link Initializer.HeNormal}
 * and the bias at zero. Op: {@link dev.halfcell.op.convolution.Conv2d}.
 */
public final class Conv2d extends Cell {
  private final Size2d kernel;
  private final ConvolutionOptions options;
  private final Parameter weight;
  private final Optional<Parameter> bias;

  /** A square kernel, stride 1, no padding and a bias. */
  public Conv2d(int inputChannels, int outputChannels, int kernel) {
    this(inputChannels, outputChannels, kernel, ConvolutionOptions.defaults());
  }

  /** A square kernel that walks as {@code options} say. */
  public Conv2d(int inputChannels, int outputChannels, int kernel, ConvolutionOptions options) {
    this(
        inputChannels, outputChannels, ConvolutionOptions.square("Conv2d kernel", kernel), options);
  }

  /** A kernel that walks as {@code options} say. */
  public Conv2d(int inputChannels, int outputChannels, Size2d kernel, ConvolutionOptions options) {
    this(
        inputChannels,
        outputChannels,
        kernel,
        options,
        new Initializer.HeNormal(),
        new Initializer.Constant(0));
  }

  /** The same with other start values. */
  public Conv2d(
      int inputChannels,
      int outputChannels,
      Size2d kernel,
      ConvolutionOptions options,
      Initializer weights,
      Initializer biases) {
    options.require("Conv2d", inputChannels, outputChannels);
    this.kernel = kernel;
    this.options = options;
    int perGroup = inputChannels / options.groups();
    weight =
        parameter("weight", weights, outputChannels, perGroup, kernel.height(), kernel.width());
    bias =
        options.bias() ? Optional.of(parameter("bias", biases, outputChannels)) : Optional.empty();
  }

  @Override
  public PrecisionClass precision() {
    return PrecisionClass.ALLOW;
  }

  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    Tensor x = f.only(inputs);
    f.rank(x, 4, "[N, C, H, W]");
    Conv2dGeometry geometry = options.geometry(x.spec().dim(2), x.spec().dim(3), kernel);
    return bias.map(b -> f.ops().conv2d(geometry, x, f.read(weight), f.read(b)))
        .orElseGet(() -> f.ops().conv2d(geometry, x, f.read(weight)));
  }
}
