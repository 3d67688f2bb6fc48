package dev.halfcell.cpu.kernel;

import dev.halfcell.op.Padding2d;
import dev.halfcell.op.convolution.Conv2d;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.op.convolution.Conv2dInputGradient;
import dev.halfcell.op.convolution.Conv2dTranspose;
import dev.halfcell.op.convolution.Conv2dWeightGradient;
import dev.halfcell.op.convolution.Convolution;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Convolutions by oneDNN, shared out by samples, or by {@link WinogradConvolution}. Images lie
 * channels last; the layout of weights is the choice of what computes, and they are reordered once
 * per run.
 */
final class ConvolutionKernels {
  private ConvolutionKernels() {}

  static void build(KernelBuilder builder, Convolution op, List<Operand> in, Operand out) {
    switch (op) {
      case Conv2d(Conv2dGeometry geometry) -> {
        var _ = forward(builder, geometry, in, out);
      }
      case Conv2dTranspose(Conv2dGeometry geometry, int _, int _) ->
          transpose(builder, geometry, in, out);
      case Conv2dInputGradient(Conv2dGeometry geometry, Shape _) ->
          inputGradient(builder, geometry, in, out);
      case Conv2dWeightGradient(Conv2dGeometry geometry, Shape _, boolean _) ->
          parameterGradients(builder, geometry, in, out, Optional.empty());
    }
  }

  private static Operand image(KernelBuilder builder, Operand x, DType computed) {
    return builder.in(x, computed, Layout.CHANNELS_LAST);
  }

  private static Operand parameter(KernelBuilder builder, Operand p, DType computed) {
    return builder.early(() -> builder.in(p, computed, Layout.ROW_MAJOR));
  }

  /** Returns what was computed into, before any conversion to {@code out}. */
  static Operand forward(
      KernelBuilder builder, Conv2dGeometry geometry, List<Operand> in, Operand out) {
    DType computed = forwardDtype(builder, geometry, in.get(1), out);
    Operand x = image(builder, in.get(0), computed);
    Operand weight = parameter(builder, in.get(1), computed);
    Optional<Operand> bias =
        in.size() == 3 ? Optional.of(parameter(builder, in.get(2), computed)) : Optional.empty();
    Operand y = builder.out(out, computed, Layout.CHANNELS_LAST);
    if (WinogradConvolution.suits(geometry, weight.spec().shape(), y)) {
      WinogradConvolution.forward(builder, geometry.padding(), x, weight, bias, y);
    } else {
      new ConvolutionForward(builder, geometry, x, weight, bias, y).build();
    }
    return y;
  }

  /**
   * The dtype to compute y in. In halves oneDNN 3.11 takes {@code brg_conv_fwd}, which computes
   * wrong rows for some kernels of height 1 where each group has one input channel, and, in tiles
   * of AMX, for images whose strided windows give one column; it reads out of bounds where a whole
   * window lies in the padding. Such images go through FP32, and so do all of one channel in each
   * of several groups; of other images of one channel none of 42,000 random ones was wrong. (Where
   * {@link KernelChoice} takes another kernel, they need not; which ones is not told apart here.)
   */
  private static DType forwardDtype(
      KernelBuilder builder, Conv2dGeometry geometry, Operand weight, Operand out) {
    Shape kernel = weight.spec().shape();
    Padding2d padding = geometry.padding();
    int height = geometry.dilationHeight() * (kernel.dim(2) - 1) + 1;
    int width = geometry.dilationWidth() * (kernel.dim(3) - 1) + 1;
    boolean windowOfPadding =
        Math.max(padding.top(), padding.bottom()) >= height
            || Math.max(padding.left(), padding.right()) >= width;
    boolean column = out.spec().dim(3) == 1 && geometry.strideWidth() > 1;
    boolean single = kernel.dim(1) == 1 && (kernel.dim(2) == 1 || geometry.groups() > 1);
    boolean unsafe = out.dtype().half() && (single || windowOfPadding || column);
    return unsafe ? DType.FP32 : builder.convolved(out.dtype());
  }

  private static void inputGradient(
      KernelBuilder builder, Conv2dGeometry geometry, List<Operand> in, Operand out) {
    DType computed = builder.convolved(out.dtype());
    Operand d = image(builder, in.get(0), computed);
    Operand weight = parameter(builder, in.get(1), computed);
    Operand dx = builder.out(out, computed, Layout.CHANNELS_LAST);
    inputGradient(builder, geometry, d, weight, dx);
  }

  private static void inputGradient(
      KernelBuilder builder, Conv2dGeometry geometry, Operand d, Operand weight, Operand dx) {
    if (WinogradConvolution.suits(geometry, weight.spec().shape(), dx)) {
      WinogradConvolution.inputGradient(builder, geometry.padding(), d, weight, dx);
    } else {
      new ConvolutionInputGradient(builder, geometry, d, weight, dx).build();
    }
  }

  /** With a bias the sums stay in FP32 until it is added, so that there is one rounding. */
  private static void transpose(
      KernelBuilder builder, Conv2dGeometry geometry, List<Operand> in, Operand out) {
    if (in.size() == 2) {
      inputGradient(builder, geometry, in, out);
      return;
    }
    Operand x = image(builder, in.get(0), DType.FP32);
    Operand weight = builder.in(in.get(1), DType.FP32, Layout.ROW_MAJOR);
    Operand bias = builder.in(in.get(2), DType.FP32, Layout.ROW_MAJOR);
    Operand sums = builder.workspace(out.spec().as(DType.FP32), Layout.CHANNELS_LAST);
    inputGradient(builder, geometry, x, weight, sums);
    int channels = out.spec().dim(1);
    ChannelMap.Coefficients map = new ChannelMap.Coefficients(channels);
    Arrays.fill(map.b(), 1);
    builder.stage(
        1,
        _ -> {
          for (int c = 0; c < channels; c++) {
            map.c()[c] = Elements.get(bias.region().data(), DType.FP32, c);
          }
        });
    Operand y = builder.out(out, out.dtype(), Layout.CHANNELS_LAST);
    ChannelMap.of(sums, y, map).stage(builder);
  }

  /**
   * {@code in} are d and x. In halves oneDNN 3.11 sums wrongly, in tiles of AMX, where a stride is
   * wider than x: that goes through FP32.
   */
  static void parameterGradients(
      KernelBuilder builder,
      Conv2dGeometry geometry,
      List<Operand> in,
      Operand dweight,
      Optional<Operand> dbias) {
    DType dtype = in.getFirst().dtype();
    boolean unsafe = dtype.half() && geometry.strideWidth() > in.get(1).spec().dim(3);
    DType computed = unsafe ? DType.FP32 : builder.convolved(dtype);
    Operand d = image(builder, in.get(0), computed);
    Operand x = image(builder, in.get(1), computed);
    if (dbias.isPresent()) {
      new ConvolutionParameterGradients(builder, geometry, d, x, dweight, dbias).build();
    } else {
      weightGradient(builder, geometry, d, x, dweight);
    }
  }

  private static void weightGradient(
      KernelBuilder builder, Conv2dGeometry geometry, Operand d, Operand x, Operand dweight) {
    Shape weight = dweight.spec().shape();
    if (WindowWeightGradient.suits(builder, geometry, weight, d)) {
      new WindowWeightGradient(builder, geometry, d, x, dweight).build();
    } else if (WeightGradientProduct.suits(builder, geometry, weight, d)) {
      new WeightGradientProduct(builder, geometry, d, x, dweight).build();
    } else if (WinogradWeightGradient.suits(builder, geometry, weight, d)) {
      new WinogradWeightGradient(builder, geometry.padding(), d, x, dweight).build();
    } else {
      new ConvolutionParameterGradients(builder, geometry, d, x, dweight, Optional.empty()).build();
    }
  }
}
