package dev.halfcell.gpu.library;

import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;

/**
 * A convolution without bias, or one of its gradients: FP32, FP16 or BF16, added up in FP32 and
 * rounded once.
 *
 * @param pass what is computed
 * @param in the dtype of both operands
 * @param out that of the result: the same, or FP32
 * @param ofHalves whether the operands are in FP32 and have values of FP16 or BF16, so that TF32
 *     multiplies them exactly
 * @param channelsLast whether images lie as [N, H, W, C] and the weight as [O, kH, kW, C / groups];
 *     else they lie as their shapes say. All are dense
 * @param shapes of the forward convolution's tensors
 */
public record ConvolutionProblem(
    Pass pass,
    DType in,
    DType out,
    boolean ofHalves,
    boolean channelsLast,
    Shapes shapes,
    Conv2dGeometry geometry) {
  /** One of operands as they come. */
  public ConvolutionProblem(
      Pass pass, DType in, DType out, Shapes shapes, Conv2dGeometry geometry) {
    this(pass, in, out, false, false, shapes, geometry);
  }

  /** What is computed of x, weight and y of a forward convolution. */
  public enum Pass {
    /** (x, weight) → y. */
    FORWARD,
    /** (dy, weight) → dx. */
    IMAGE_GRADIENT,
    /** (dy, x) → dweight. */
    WEIGHT_GRADIENT
  }

  /**
   * As the forward convolution has them.
   *
   * @param image of x
   * @param weight [O, C / groups, kH, kW]
   * @param windows of y
   */
  public record Shapes(Shape image, Shape weight, Shape windows) {}

  /** Whether it is a gradient by the weight of operands in half, in FP32. */
  public boolean widens() {
    return pass == Pass.WEIGHT_GRADIENT && in.half() && out == DType.FP32;
  }

  /** The same of operands that were widened to FP32. */
  public ConvolutionProblem widened() {
    return new ConvolutionProblem(pass, DType.FP32, out, true, channelsLast, shapes, geometry);
  }

  /** The same of tensors whose channels lie next to each other. */
  public ConvolutionProblem turned() {
    return new ConvolutionProblem(pass, in, out, ofHalves, true, shapes, geometry);
  }

  @Override
  public String toString() {
    return switch (pass) {
          case FORWARD -> "a convolution";
          case IMAGE_GRADIENT -> "a convolution's gradient by the image";
          case WEIGHT_GRADIENT -> "a convolution's gradient by the weight";
        }
        + " of "
        + shapes.image
        + " with "
        + shapes.weight
        + " in "
        + in.label()
        + (ofHalves ? " of values in half" : "")
        + (out == in ? "" : " to " + out.label())
        + (channelsLast ? ", channels last" : "");
  }
}
