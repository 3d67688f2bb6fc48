package dev.halfcell.nn;

import dev.halfcell.op.PrecisionClass;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Tensor;
import java.util.Optional;

/**
 * A transposed 2-d convolution with a square kernel: with a stride it enlarges an image.
 *
 * <p>Shapes: x [N, inputChannels, H, W], y [N, outputChannels, H', W'] as {@link
 * dev.halfcell.op.convolution.Conv2dTranspose} says; parameters weight [inputChannels,
 * outputChannels / groups, kernel, kernel] and, unless left out, bias [outputChannels]. Padding
 * takes rows and columns away from y; {@link PaddingMode#SAME} makes y stride times as large as x.
 * The weight starts normally with a deviation of √(2 · stride² / (inputChannels / groups ·
 * kernel²)), {@link Initializer.HeNormal} for the inputs that one output sees. Op: {@link
 * dev.halfcell.op.convolution.Conv2dTranspose}.
 */
public final class Conv2dTranspose extends Cell {
  private final int kernel;
  private final ConvolutionOptions options;
  private final int outputPadding;
  private final Parameter weight;
  private final Optional<Parameter> bias;

  /** Stride 1, no padding and a bias. */
  public Conv2dTranspose(int inputChannels, int outputChannels, int kernel) {
    this(inputChannels, outputChannels, kernel, ConvolutionOptions.defaults(), 0);
  }

  /**
   * A kernel that walks as {@code options} say.
   *
   * @param outputPadding rows and columns that are added to y at the bottom and on the right, less
   *     than the stride; 0 with {@link PaddingMode#SAME}, which needs none
   */
  public Conv2dTranspose(
      int inputChannels,
      int outputChannels,
      int kernel,
      ConvolutionOptions options,
      int outputPadding) {
    options.require("Conv2dTranspose", inputChannels, outputChannels, kernel);
    ArgumentException.require(
        outputPadding == 0
            || outputPadding > 0
                && outputPadding < options.stride()
                && !options.padding().equals(PaddingMode.SAME),
        "Conv2dTranspose output padding",
        "at least 0, less than the stride, and 0 with padding same",
        outputPadding);
    this.kernel = kernel;
    this.options = options;
    this.outputPadding = outputPadding;
    int perGroup = outputChannels / options.groups();
    double seen = inputChannels / (double) options.groups() * kernel * kernel;
    double deviation = options.stride() * Math.sqrt(2 / seen);
    weight =
        parameter(
            "weight", new Initializer.Normal(deviation), inputChannels, perGroup, kernel, kernel);
    bias =
        options.bias()
            ? Optional.of(parameter("bias", new Initializer.Constant(0), outputChannels))
            : Optional.empty();
  }

  @Override
  public PrecisionClass precision() {
    return PrecisionClass.ALLOW;
  }

  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    Tensor x = f.only(inputs);
    f.rank(x, 4, "[N, C, H, W]");
    int stride = options.stride();
    // The convolution whose gradient this is sees y, which padding "same" makes this large.
    Conv2dGeometry geometry =
        options.geometry(times(stride, x.spec().dim(2)), times(stride, x.spec().dim(3)), kernel);
    int extra = outputPadding();
    return bias.map(
            b -> f.ops().conv2dTranspose(geometry, extra, extra, x, f.read(weight), f.read(b)))
        .orElseGet(() -> f.ops().conv2dTranspose(geometry, extra, extra, x, f.read(weight)));
  }

  /** The op refuses what is larger than an int. */
  private static int times(int stride, int pixels) {
    return (int) Math.min(Integer.MAX_VALUE, (long) stride * pixels);
  }

  /** A kernel shorter than the stride leaves pixels that no window reaches: they are y's last. */
  private int outputPadding() {
    long reach = (long) options.dilation() * (kernel - 1) + 1;
    return options.padding().equals(PaddingMode.SAME)
        ? (int) Math.max(0, options.stride() - reach)
        : outputPadding;
  }
}
