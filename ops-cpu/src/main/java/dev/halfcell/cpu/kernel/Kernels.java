package dev.halfcell.cpu.kernel;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Op;
import dev.halfcell.op.attention.Attention;
import dev.halfcell.op.collective.CollectiveOp;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.op.convolution.Convolution;
import dev.halfcell.op.elementwise.Elementwise;
import dev.halfcell.op.host.Host;
import dev.halfcell.op.indexing.Indexing;
import dev.halfcell.op.linear.Linear;
import dev.halfcell.op.loss.Loss;
import dev.halfcell.op.loss.SoftmaxCrossEntropy;
import dev.halfcell.op.normalization.BatchNorm;
import dev.halfcell.op.normalization.BatchNormGradient;
import dev.halfcell.op.normalization.Normalization;
import dev.halfcell.op.pooling.Pooling;
import dev.halfcell.op.pooling.Windows2d;
import dev.halfcell.op.precision.Precision;
import dev.halfcell.op.random.RandomOp;
import dev.halfcell.op.recurrent.Recurrent;
import dev.halfcell.op.reduction.Reduction;
import dev.halfcell.op.shape.Rearrangement;
import dev.halfcell.op.update.Update;
import dev.halfcell.plan.UpdateAll;
import dev.halfcell.plan.Work;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import java.util.List;
import java.util.Optional;

/** Makes the kernel of an op, or of several that were fused, for certain operands. */
public final class Kernels {
  private Kernels() {}

  /** The kernel that computes {@code work} on {@code in} into {@code out}. */
  public static Kernel of(
      Machine machine, Work work, List<Operand> in, List<Operand> out, CellPath at) {
    machine.onednn().enterThread();
    KernelBuilder builder = new KernelBuilder(machine);
    try {
      build(builder, work, in, out, at);
      return builder.build();
    } catch (RuntimeException | Error e) {
      builder.abandon();
      throw e;
    }
  }

  private static void build(
      KernelBuilder builder, Work work, List<Operand> in, List<Operand> out, CellPath at) {
    switch (work) {
      case Work.Single(Op op) -> single(builder, op, in, out, at);
      case Work.ConvolutionRelu(Conv2dGeometry geometry) ->
          relu(builder, ConvolutionKernels.forward(builder, geometry, in, out.getFirst()));
      case Work.DenseRelu() -> relu(builder, MatrixKernels.dense(builder, in, out.getFirst()));
      case Work.AddRelu() -> Flat.stage(builder, in, out, ElementwiseKernels::addRelu);
      case Work.AddReluGradient() ->
          ReluGradients.build(builder, in.subList(0, 2), in.get(2), out.getFirst());
      case Work.BatchNormRelu(BatchNorm op, boolean _) ->
          BatchNormKernels.forward(
              builder, op, in.subList(0, 3), in.stream().skip(3).findFirst(), true, out);
      case Work.BatchNormReluGradient(BatchNormGradient(double epsilon)) ->
          BatchNormKernels.gradient(
              builder, epsilon, in.subList(0, 5), Optional.of(in.get(5)), out);
      case Work.ReluMaxPool(Windows2d window) ->
          PoolingKernels.max(builder, window, in.getFirst(), out, true);
      case Work.ReluMaxPoolGradient(Windows2d window, Shape _) ->
          PoolingKernels.maxGradient(
              builder, window, in.get(0), Optional.of(in.get(1)), in.get(2), out.getFirst());
      case Work.ConvolutionParameterGradients(
              Conv2dGeometry geometry,
              Shape _,
              boolean _,
              boolean _) ->
          ConvolutionKernels.parameterGradients(
              builder, geometry, in, out.get(0), Optional.of(out.get(1)));
      case Work.DenseParameterGradients _ -> {
        MatrixKernels.weightGradient(builder, in.get(0), in.get(1), out.get(0));
        ReductionKernels.sum(builder, in.get(0), out.get(1), List.of(0));
      }
      case Work.SoftmaxCrossEntropyWithGradient(SoftmaxCrossEntropy loss) ->
          new CrossEntropy(loss, work.label(), at, in, Optional.of(out.get(1)))
              .build(builder, Optional.of(out.get(0)));
      case Work.Round(DType to) -> Flat.round(builder, to, in.getFirst(), out.getFirst());
      case Work.Together _, Work.Relayout _ ->
          throw new IllegalStateException(work + " in a plan for the CPU");
      case UpdateAll update -> UpdateKernel.build(builder, update, in, out);
    }
  }

  private static void relu(KernelBuilder builder, Operand y) {
    Flat.stage(builder, List.of(y), List.of(y), ElementwiseKernels::relu);
  }

  private static void single(
      KernelBuilder builder, Op op, List<Operand> in, List<Operand> out, CellPath at) {
    switch (op) {
      case Elementwise e -> ElementwiseKernels.build(builder, e, in, out.getFirst());
      case Linear l -> MatrixKernels.build(builder, l, in, out.getFirst());
      case Attention a -> AttentionKernels.build(builder, a, in, out);
      case Convolution c -> ConvolutionKernels.build(builder, c, in, out.getFirst());
      case Pooling p -> PoolingKernels.build(builder, p, in, out);
      case Normalization n -> NormalizationKernels.build(builder, n, in, out);
      case Recurrent r -> RecurrentKernels.build(builder, r, in, out, at);
      case Reduction r -> ReductionKernels.build(builder, r, in, out);
      case Rearrangement r -> RearrangementKernels.build(builder, r, in, out, at);
      case Indexing i -> IndexingKernels.build(builder, i, in, out, at);
      case Loss l -> LossKernels.build(builder, l, in, out, at);
      case RandomOp r -> RandomKernels.build(builder, r, in, out.getFirst());
      case CollectiveOp c -> CollectiveKernels.build(builder, c, in.getFirst(), out.getFirst(), at);
      case Host h -> ReferenceStage.add(builder, h, in, out, at);
      case Precision p -> PrecisionKernels.build(builder, p, in, out, at);
      case Update u -> UpdateKernels.build(builder, u, in, out, at);
    }
  }
}
