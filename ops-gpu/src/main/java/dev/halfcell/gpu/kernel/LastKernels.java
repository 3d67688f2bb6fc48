package dev.halfcell.gpu.kernel;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Op;
import dev.halfcell.op.convolution.Conv2d;
import dev.halfcell.op.convolution.Conv2dInputGradient;
import dev.halfcell.op.convolution.Conv2dWeightGradient;
import dev.halfcell.op.convolution.Convolution;
import dev.halfcell.op.elementwise.Add;
import dev.halfcell.op.elementwise.Relu;
import dev.halfcell.op.elementwise.ReluGradient;
import dev.halfcell.op.normalization.BatchNorm;
import dev.halfcell.op.normalization.BatchNormGradient;
import dev.halfcell.op.normalization.Normalize;
import dev.halfcell.op.precision.Cast;
import dev.halfcell.plan.Work;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;
import java.util.Optional;

/** Works on images whose channels lie last: which can be computed so, and how. */
public final class LastKernels {
  private LastKernels() {}

  /**
   * Whether a work is worth turning images over for: a convolution in half by a library, of
   * channels that tensor cores take whole. Gradients are not: behind a convolution whose images lie
   * so theirs do, and behind others much would be turned over for one of them.
   */
  public static boolean begins(
      Code code, Work work, List<TensorSpec> in, List<TensorSpec> out, CellPath at) {
    return work instanceof Work.Single(Op op)
        && op instanceof Conv2d
        && of(code, work, in, out, at).isPresent();
  }

  /**
   * Whether a library is asked for it so: not where own kernels are faster, or it has been wrong.
   */
  private static boolean taken(
      Convolution op, List<TensorSpec> in, List<TensorSpec> out, CellPath at) {
    return in.size() == 2
        && op.geometry().groups() == 1
        && op.geometry().padding().even()
        && NormalizationLastKernels.fit(in.getFirst())
        && NormalizationLastKernels.fit(out.getFirst())
        && !ConvolutionKernels.isSmall(op, in, out.getFirst(), at);
  }

  /** How a work is computed of such images; none where it is not. */
  public static Optional<Recipe> of(
      Code code, Work work, List<TensorSpec> in, List<TensorSpec> out, CellPath at) {
    TensorSpec x = in.getFirst();
    return switch (work) {
      case Work.Single(Op op) -> single(code, op, in, out, at);
      case Work.AddRelu _, Work.AddReluGradient _ ->
          Optional.of(Kernels.of(code, work, in, out, at));
      case Work.BatchNormRelu(BatchNorm norm, boolean adds) when NormalizationLastKernels.fit(x) ->
          Optional.of(
              NormalizationLastKernels.of(
                  code.kernels(),
                  norm,
                  adds ? NormalizationEnd.ADD_RELU : NormalizationEnd.RELU,
                  x));
      case Work.BatchNormReluGradient(BatchNormGradient(double epsilon))
          when NormalizationLastKernels.fit(x) ->
          Optional.of(NormalizationLastKernels.gradient(code.kernels(), epsilon, true, x));
      default -> Optional.empty();
    };
  }

  private static Optional<Recipe> single(
      Code code, Op op, List<TensorSpec> in, List<TensorSpec> out, CellPath at) {
    TensorSpec x = in.getFirst();
    return switch (op) {
      case Conv2d convolution when taken(convolution, in, out, at) ->
          ConvolutionKernels.last(code, convolution, in, out.getFirst(), at);
      case Conv2dInputGradient convolution when taken(convolution, in, out, at) ->
          ConvolutionKernels.last(code, convolution, in, out.getFirst(), at);
      case Conv2dWeightGradient convolution ->
          ConvolutionKernels.last(code, convolution, in, out.getFirst(), at);
      case BatchNorm norm when NormalizationLastKernels.fit(x) ->
          Optional.of(NormalizationLastKernels.of(code.kernels(), norm, NormalizationEnd.NONE, x));
      case Normalize(double epsilon) when NormalizationLastKernels.fit(x) ->
          Optional.of(NormalizationLastKernels.given(code.kernels(), epsilon, x));
      case BatchNormGradient(double epsilon) when NormalizationLastKernels.fit(x) ->
          Optional.of(NormalizationLastKernels.gradient(code.kernels(), epsilon, false, x));
      case Relu _, ReluGradient _ ->
          Optional.of(Kernels.of(code, new Work.Single(op), in, out, at));
      // Elements of other sizes could not be turned over.
      case Cast(DType to, _) when to.half() || to == DType.FP32 ->
          Optional.of(Kernels.of(code, new Work.Single(op), in, out, at));
      case Add _ when in.get(0).equals(in.get(1)) ->
          Optional.of(Kernels.of(code, new Work.Single(op), in, out, at));
      default -> Optional.empty();
    };
  }

  static Recipe relayout(KernelLibrary kernels, boolean last) {
    return Recipe.of(
        place ->
            List.of(
                last
                    ? TurnedMatrices.channelsLast(kernels, place.in(0), place.out(0).memory())
                    : TurnedMatrices.rowMajor(kernels, place.in(0), place.out(0).memory())));
  }
}
