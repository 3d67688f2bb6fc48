package dev.halfcell.nn;

import dev.halfcell.op.PrecisionClass;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Tensor;
import java.util.Optional;

/**
 * A 2-d convolution.
 *
 * <p>Shapes: x [N, inputChannels, H, W], y [N, outputChannels, H', W'] as the geometry says;
 * parameters weight [outputChannels, inputChannels / groups, kernel, kernel] and, unless left out,
 * bias [outputChannels]. The weight starts as {@link Initializer.HeNormal}, the bias at zero. Op:
 * {@link dev.halfcell.op.convolution.Conv2d}.
 */
public final class Conv2d extends Cell {
  private final Conv2dGeometry geometry;
  private final Parameter weight;
  private final Optional<Parameter> bias;

  /** A square kernel with stride 1, no padding and a bias. */
  public Conv2d(int inputChannels, int outputChannels, int kernel) {
    this(inputChannels, outputChannels, kernel, Conv2dGeometry.VALID, true);
  }

  /** A square kernel that walks as {@code geometry} says. */
  public Conv2d(
      int inputChannels,
      int outputChannels,
      int kernel,
      Conv2dGeometry geometry,
      boolean withBias) {
    int smallest = Math.min(Math.min(inputChannels, outputChannels), kernel);
    ArgumentException.require(
        smallest >= 1, "Conv2d", "channels and a kernel of at least 1", smallest);
    ArgumentException.require(
        inputChannels % geometry.groups() == 0 && outputChannels % geometry.groups() == 0,
        "Conv2d",
        "channels that " + geometry.groups() + " groups divide",
        inputChannels + " to " + outputChannels);
    this.geometry = geometry;
    int perGroup = inputChannels / geometry.groups();
    weight =
        parameter("weight", new Initializer.HeNormal(), outputChannels, perGroup, kernel, kernel);
    bias =
        withBias
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
    return bias.map(b -> f.ops().conv2d(geometry, x, f.read(weight), f.read(b)))
        .orElseGet(() -> f.ops().conv2d(geometry, x, f.read(weight)));
  }
}
