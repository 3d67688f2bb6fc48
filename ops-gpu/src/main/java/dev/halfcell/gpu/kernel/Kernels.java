package dev.halfcell.gpu.kernel;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Op;
import dev.halfcell.op.attention.Attention;
import dev.halfcell.op.collective.CollectiveOp;
import dev.halfcell.op.convolution.Convolution;
import dev.halfcell.op.elementwise.Elementwise;
import dev.halfcell.op.host.Host;
import dev.halfcell.op.indexing.Indexing;
import dev.halfcell.op.linear.Linear;
import dev.halfcell.op.loss.Loss;
import dev.halfcell.op.normalization.Normalization;
import dev.halfcell.op.pooling.Pooling;
import dev.halfcell.op.precision.Precision;
import dev.halfcell.op.random.RandomOp;
import dev.halfcell.op.recurrent.Recurrent;
import dev.halfcell.op.reduction.Reduction;
import dev.halfcell.op.shape.Rearrangement;
import dev.halfcell.op.shape.ReverseSequence;
import dev.halfcell.op.update.Update;
import dev.halfcell.plan.Program;
import dev.halfcell.plan.UpdateAll;
import dev.halfcell.plan.Work;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import java.util.List;

/** Which code computes a task. */
public final class Kernels {
  private Kernels() {}

  /**
   * How a task is computed.
   *
   * @throws UsageException where no kernel computes it
   */
  public static Recipe of(
      Code code, Work work, List<TensorSpec> in, List<TensorSpec> out, CellPath at) {
    return switch (work) {
      case Work.Single(Op op) -> single(code, op, in, out, at);
      case Work.AddRelu _ -> ElementwiseKernels.addRelu(code.kernels(), in, at);
      case Work.AddReluGradient _ -> ElementwiseKernels.addReluGradient(code.kernels(), in, at);
      case Work.BatchNormRelu w -> NormalizationKernels.of(code.kernels(), w, in, at);
      case Work.BatchNormReluGradient w -> NormalizationKernels.of(code.kernels(), w, in, at);
      case Work.ConvolutionRelu w -> ConvolutionKernels.relu(code, w, in, out, at);
      case Work.DenseRelu _ -> MatrixKernels.denseRelu(code, in, out.getFirst(), at);
      case Work.ReluMaxPool _,
          Work.ReluMaxPoolGradient _,
          Work.ConvolutionParameterGradients _,
          Work.DenseParameterGradients _,
          Work.SoftmaxCrossEntropyWithGradient _,
          Work.Round _ ->
          throw refusal(work.label(), "several ops in one", at);
      case Work.Relayout(boolean last) -> LastKernels.relayout(code.kernels(), last);
      case Work.Together(List<Op> each) -> TogetherKernels.of(code.kernels(), each, in, at);
      case UpdateAll all -> UpdateAllKernels.of(code.kernels(), all, in, at);
    };
  }

  /** Whether there are kernels for all that a program has in one task. */
  public static boolean compute(Program program) {
    return program.tasks().stream()
        .allMatch(task -> !(task.work() instanceof UpdateAll all) || UpdateAllKernels.compute(all));
  }

  private static Recipe single(
      Code code, Op op, List<TensorSpec> in, List<TensorSpec> out, CellPath at) {
    KernelLibrary kernels = code.kernels();
    return switch (op) {
      case Elementwise e -> ElementwiseKernels.of(kernels, e, in, out.getFirst(), at);
      case Convolution c -> ConvolutionKernels.of(code, c, in, out, at);
      case Pooling p -> PoolingKernels.of(kernels, p, in, at);
      case Linear l -> MatrixKernels.of(code, l, in, out, at);
      case Attention a -> AttentionKernels.of(kernels, a, in, at);
      case Normalization n -> NormalizationKernels.of(kernels, n, in, at);
      case Recurrent r -> RecurrentKernels.of(kernels, r, in, at);
      case Reduction r -> ReductionKernels.of(kernels, r, in, at);
      case ReverseSequence r -> IndexingKernels.reverse(kernels, r, in);
      case Rearrangement r -> RearrangementKernels.of(kernels, r, in, out.getFirst(), at);
      case Indexing i -> IndexingKernels.of(kernels, i, in, at);
      case Loss l -> LossKernels.of(kernels, l, in, at);
      case RandomOp r -> RandomKernels.of(kernels, r, in, at);
      case Precision p -> PrecisionKernels.of(kernels, p, in, out.getFirst(), at);
      case Update u -> UpdateKernels.of(kernels, u, in, at);
      case CollectiveOp _, Host _ -> throw refusal(op.label(), "another op", at);
    };
  }

  /** Tells that an operand is read in an order that kernels cannot be told. */
  static UsageException tooManyAxes(Op op, TensorSpec operand, CellPath at) {
    return refusal(op.label(), operand + ", broadcast along too many axes", at);
  }

  /** Refuses an op in a dtype that no kernel computes in. */
  static void requireComputed(Op op, DType dtype, CellPath at) {
    if (!ElementwiseKernels.COMPUTED.contains(dtype)) {
      throw refusal(op.label(), "one in " + dtype.label(), at);
    }
  }

  /** Tells that there is no kernel for an op, or for what it is asked to compute on. */
  static UsageException refusal(String op, String got, CellPath at) {
    return new UsageException(
        new Problem(
            op,
            at.text(),
            "what the GPU backend computes: fp32, fp16 and bf16, and no Java functions or several"
                + " ranks",
            got,
            "Train with --device cpu."));
  }
}
