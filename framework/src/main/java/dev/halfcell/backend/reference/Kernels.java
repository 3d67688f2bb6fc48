package dev.halfcell.backend.reference;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Op;
import dev.halfcell.op.SumOfProducts;
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
import dev.halfcell.op.update.Update;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Tensor;
import java.util.List;
import java.util.function.DoubleBinaryOperator;

/**
 * Every op in double with one rounding for each element of its result: obviously right, slow, and
 * the oracle of all other backends.
 */
public final class Kernels {
  private Kernels() {}

  /**
   * Computes {@code op} into tensors that have the specs it infers.
   *
   * @throws dev.halfcell.tensor.DataException where a value is one that the op cannot work on
   */
  public static void run(Op op, List<Tensor> in, List<Tensor> out, CellPath at) {
    if (WholeMoves.needed(op, in, out)) {
      WholeMoves.run(op, in, out.getFirst(), at);
      return;
    }
    List<double[]> exact = compute(op, in, out, at);
    for (int i = 0; i < out.size(); i++) {
      store(exact.get(i), out.get(i));
    }
  }

  static List<double[]> compute(Op op, List<Tensor> in, List<Tensor> out, CellPath at) {
    return switch (op) {
      case Elementwise e -> List.of(ElementwiseKernels.compute(e, in));
      case SumOfProducts s -> List.of(sums(s, in, Double::sum));
      case Attention a -> AttentionKernels.compute(a, in);
      case Pooling p -> PoolingKernels.compute(p, in);
      case Normalization n -> NormalizationKernels.compute(n, in);
      case Recurrent r -> RecurrentKernels.compute(r, in, at);
      case Reduction r -> ReductionKernels.compute(r, in);
      case Rearrangement r ->
          List.of(RearrangementKernels.compute(r, in, out.getFirst().shape(), at));
      case Indexing i -> IndexingKernels.compute(i, in, at);
      case Loss l -> LossKernels.compute(l, in, at);
      case RandomOp r -> List.of(RandomKernels.compute(r, in));
      // Of a rank of its own; who runs several of them puts the others' values in afterwards.
      case CollectiveOp _ -> List.of(in.getFirst().toArray());
      case Host h -> HostKernels.compute(h, in, out, at);
      case Precision p -> PrecisionKernels.compute(p, in);
      case Update u -> UpdateKernels.compute(u, in, at);
    };
  }

  /**
   * Sums of products.
   *
   * @param plus what a running sum becomes with a further number
   */
  static double[] sums(SumOfProducts op, List<Tensor> in, DoubleBinaryOperator plus) {
    return switch (op) {
      case Linear l -> LinearKernels.compute(l, in, plus);
      case Convolution c -> ConvolutionKernels.compute(c, in, plus);
    };
  }

  private static void store(double[] exact, Tensor out) {
    for (int i = 0; i < exact.length; i++) {
      Elements.set(out.data(), out.dtype(), i, exact[i]);
    }
  }
}
