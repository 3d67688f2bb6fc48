package dev.halfcell.cpu.kernel;

import dev.halfcell.cpu.onednn.Descriptor;
import dev.halfcell.cpu.onednn.Recipe;
import dev.halfcell.cpu.onednn.UnimplementedException;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import java.util.function.Supplier;

/**
 * Asks oneDNN what it has for the gradients of a convolution in halves. With FP16's instructions
 * but no tiles for it (Sapphire Rapids), oneDNN 3.11 has plain code alone for gradients by weight,
 * and for those by input where groups are strided; that takes twenty times as long as FP32.
 */
record ConvolutionProbe(KernelBuilder builder, Conv2dGeometry geometry, Operand weight) {
  /** What the gradient by an image is computed in, where the rest has this dtype. */
  DType inputGradient(DType dtype, Shape d, Shape dx) {
    return unlessPlain(
        dtype,
        () -> {
          Descriptor from = image(dtype, d);
          Descriptor to = ConvolutionInputGradient.target(builder, dx, image(dtype, dx), dtype);
          return builder
              .recipes()
              .inputGradient(geometry, to, any(dtype), from, forward(dtype, to, from));
        });
  }

  /** The same of the gradient by the weight. */
  DType weightGradient(DType dtype, Shape d, Shape x) {
    return unlessPlain(
        dtype,
        () -> {
          Descriptor from = image(dtype, d);
          Descriptor image = image(dtype, x);
          Recipe forward = forward(dtype, image, from);
          return builder
              .recipes()
              .weightGradient(geometry, image, any(DType.FP32), Descriptor.NONE, from, forward);
        });
  }

  private static DType unlessPlain(DType dtype, Supplier<Recipe> asked) {
    if (!dtype.half()) {
      return dtype;
    }
    try {
      return asked.get().slow() ? dtype.wide() : dtype;
    } catch (UnimplementedException e) {
      return dtype.wide(); // the answer, not a failure
    }
  }

  private Recipe forward(DType dtype, Descriptor x, Descriptor y) {
    return builder.recipes().convolution(geometry, x, any(dtype), Descriptor.NONE, y);
  }

  private Descriptor image(DType dtype, Shape shape) {
    return builder
        .onednn()
        .strided(
            builder.handles(), dtype, Reorders.sizes(shape), Layout.CHANNELS_LAST.strides(shape));
  }

  private Descriptor any(DType dtype) {
    return new Weights(builder, weight, geometry.groups()).any(dtype);
  }
}
