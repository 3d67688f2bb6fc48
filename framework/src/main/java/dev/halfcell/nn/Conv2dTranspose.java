package dev.halfcell.nn;

import dev.halfcell.op.PrecisionClass;
import dev.halfcell.op.Size2d;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Tensor;
import java.util.Optional;

/**
 * A transposed 2-d convolution: with a stride it enlarges an image.
 *
 * <p>Shapes: x [N, inputChannels, H, W], y [N, outputChannels, H', W'] as {@link
 * dev.halfcell.op.convolution.Conv2dTranspose} says; parameters weight [inputChannels,
 * outputChannels / groups, kH, kW] and, unless left out, bias [outputChannels]. Padding takes rows
 * and columns away from y; {@link PaddingMode#SAME} makes y stride times as large as x. The weight
 * starts normally with a deviation of √(2 · stride area / (inputChannels / groups · kH · kW)),
 * {@link Initializer.HeNormal} for the inputs that one output sees. Op: {@link
 * dev.halfcell.op.convolution.Conv2dTranspose}.
 */
public final class Conv2dTranspose extends Cell {
  private final Size2d kernel;
  private final ConvolutionOptions options;
  private final int outputPadding;
  private final Parameter weight;
  private final Optional<Parameter> bias;

  /** A square kernel, stride 1, no padding and a bias. */
  public Conv2dTranspose(int inputChannels, int outputChannels, int kernel) {
    this(inputChannels, outputChannels, kernel, ConvolutionOptions.defaults(), 0);
  }

  /** A square kernel. */
  public Conv2dTranspose(
      int inputChannels,
      int outputChannels,
      int kernel,
      ConvolutionOptions options,
      int outputPadding) {
    this(
        inputChannels,
        outputChannels,
        ConvolutionOptions.square("Conv2dTranspose kernel", kernel),
        options,
        outputPadding);
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
      Size2d kernel,
      ConvolutionOptions options,
      int outputPadding) {
    options.require("Conv2dTranspose", inputChannels, outputChannels);
    Size2d stride = options.stride();
    ArgumentException.require(
        outputPadding == 0
            || outputPadding > 0
                && outputPadding < Math.min(stride.height(), stride.width())
                && !options.padding().equals(PaddingMode.SAME),
        "Conv2dTranspose output padding",
        "at least 0, less than the stride, and 0 with padding same",
        outputPadding);
    this.kernel = kernel;
    this.options = options;
    this.outputPadding = outputPadding;
    int perGroup = outputChannels / options.groups();
    double area = (double) kernel.height() * kernel.width() / stride.height() / stride.width();
    double deviation = Math.sqrt(2 / (area * inputChannels / options.groups()));
    weight =
        parameter(
            "weight",
            new Initializer.Normal(deviation),
            inputChannels,
            perGroup,
            kernel.height(),
            kernel.width());
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
    Size2d stride = options.stride();
    // The convolution whose gradient this is sees y, which padding "same" makes this large.
    Conv2dGeometry geometry =
        options.geometry(
            times(stride.height(), x.spec().dim(2)),
            times(stride.width(), x.spec().dim(3)),
            kernel);
    int below = added(stride.height(), options.dilation().height(), kernel.height());
    int right = added(stride.width(), options.dilation().width(), kernel.width());
    return bias.map(
            b -> f.ops().conv2dTranspose(geometry, below, right, x, f.read(weight), f.read(b)))
        .orElseGet(() -> f.ops().conv2dTranspose(geometry, below, right, x, f.read(weight)));
  }

  /** The op refuses what is larger than an int. */
  private static int times(int stride, int pixels) {
    return (int) Math.min(Integer.MAX_VALUE, (long) stride * pixels);
  }

  /** A kernel shorter than the stride leaves pixels that no window reaches: they are y's last. */
  private int added(int stride, int dilation, int length) {
    long reach = (long) dilation * (length - 1) + 1;
    return options.padding().equals(PaddingMode.SAME)
        ? (int) Math.max(0, stride - reach)
        : outputPadding;
  }
}
