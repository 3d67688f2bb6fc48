package dev.halfcell.nn;

import dev.halfcell.op.PrecisionClass;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Tensor;
import java.util.Optional;

/**
 * A 1-d convolution along the last axis: {@link Conv2d} of an image with one row.
 *
 * <p>Shapes: x [N, inputChannels, L], y [N, outputChannels, L']; parameters weight [outputChannels,
 * inputChannels / groups, 1, kernel], as in MindSpore, and, unless left out, bias [outputChannels].
 * The weight starts as {@link Initializer.HeNormal}, the bias at zero. Op: {@link
 * dev.halfcell.op.convolution.Conv2d}.
 */
public final class Conv1d extends Cell {
  private final int kernel;
  private final ConvolutionOptions options;
  private final Parameter weight;
  private final Optional<Parameter> bias;

  /** Stride 1, no padding and a bias. */
  public Conv1d(int inputChannels, int outputChannels, int kernel) {
    this(inputChannels, outputChannels, kernel, ConvolutionOptions.defaults());
  }

  /**
   * A kernel that walks as {@code options} say; of an explicit padding left and right alone count,
   * of stride and dilation the width.
   */
  public Conv1d(int inputChannels, int outputChannels, int kernel, ConvolutionOptions options) {
    options.require("Conv1d", inputChannels, outputChannels);
    ArgumentException.require(kernel >= 1, "Conv1d kernel", "at least 1", kernel);
    this.kernel = kernel;
    this.options = options;
    int perGroup = inputChannels / options.groups();
    weight = parameter("weight", new Initializer.HeNormal(), outputChannels, perGroup, 1, kernel);
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
    return Lines.through(f, f.only(inputs), image -> convolved(f, image));
  }

  private Tensor convolved(Forward f, Tensor image) {
    Conv2dGeometry geometry = options.line(image.spec().dim(3), kernel);
    return bias.map(b -> f.ops().conv2d(geometry, image, f.read(weight), f.read(b)))
        .orElseGet(() -> f.ops().conv2d(geometry, image, f.read(weight)));
  }
}
