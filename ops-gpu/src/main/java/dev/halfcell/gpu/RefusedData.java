package dev.halfcell.gpu;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Op;
import dev.halfcell.op.SumOfProducts;
import dev.halfcell.op.attention.Attention;
import dev.halfcell.op.collective.CollectiveOp;
import dev.halfcell.op.elementwise.Elementwise;
import dev.halfcell.op.host.Host;
import dev.halfcell.op.indexing.CoalesceRows;
import dev.halfcell.op.indexing.Embedding;
import dev.halfcell.op.indexing.Gather;
import dev.halfcell.op.indexing.Indexing;
import dev.halfcell.op.indexing.OneHot;
import dev.halfcell.op.indexing.ScatterAdd;
import dev.halfcell.op.loss.CtcLoss;
import dev.halfcell.op.loss.ElementLoss;
import dev.halfcell.op.loss.ElementLossGradient;
import dev.halfcell.op.loss.Loss;
import dev.halfcell.op.loss.SoftmaxCrossEntropy;
import dev.halfcell.op.loss.SoftmaxCrossEntropyGradient;
import dev.halfcell.op.loss.Targets;
import dev.halfcell.op.normalization.Normalization;
import dev.halfcell.op.pooling.Pooling;
import dev.halfcell.op.precision.Precision;
import dev.halfcell.op.random.RandomOp;
import dev.halfcell.op.recurrent.Recurrent;
import dev.halfcell.op.reduction.Reduction;
import dev.halfcell.op.shape.Rearrangement;
import dev.halfcell.op.shape.ReverseSequence;
import dev.halfcell.op.update.RowsRule;
import dev.halfcell.op.update.Update;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * A value that an op cannot compute on.
 *
 * @param in the inputs of the op
 * @param at the cell that runs it
 * @param place where the value stands, as the op's kernels count
 */
record RefusedData(List<TensorSpec> in, CellPath at, long place, long value) {
  /**
   * Tells of it in the op's own words; returns where the op refuses no such value.
   *
   * @throws DataException where it refuses it
   */
  void tell(Op op) {
    switch (op) {
      case Indexing indexing -> Indexing.require(op, at, (double) value, place, size(indexing));
      case Loss loss -> tell(loss);
      case Rearrangement rearrangement -> {
        if (rearrangement instanceof ReverseSequence reverse) {
          int steps = in.getFirst().dim(reverse.timeAxis());
          ReverseSequence.requireLength(op, at, (double) value, row(), steps);
        }
      }
      case Recurrent recurrent -> recurrent.requireLength(value, row(), in.getFirst().dim(0), at);
      case Update update -> {
        if (update instanceof RowsRule rule) {
          tell(rule);
        }
      }
      case Elementwise _,
          SumOfProducts _,
          Attention _,
          Pooling _,
          Normalization _,
          Reduction _,
          RandomOp _,
          CollectiveOp _,
          Precision _,
          Host _ -> {}
    }
  }

  private int row() {
    return Math.toIntExact(place);
  }

  /** Of what is looked up. */
  private int size(Indexing op) {
    return switch (op) {
      case Embedding _ -> in.getFirst().dim(0);
      case Gather(int axis) -> in.getFirst().dim(axis);
      case OneHot oneHot -> oneHot.depth();
      case ScatterAdd scatter -> scatter.to().dim(scatter.axis());
      case CoalesceRows rows -> rows.size();
    };
  }

  /** The place behind the last row is that of the count. */
  private void tell(RowsRule op) {
    int rows = in.get(op.rowsInput()).dim(0);
    if (place == rows) {
      op.count(at, (double) value, rows);
    } else {
      op.row(at, (double) value, row(), in.getFirst().dim(0));
    }
  }

  private void tell(Loss op) {
    switch (op) {
      case SoftmaxCrossEntropy _, SoftmaxCrossEntropyGradient _ ->
          Targets.requireClass(op.label(), at, value, row(), in.getFirst().dim(1));
      case CtcLoss ctc -> tell(ctc);
      case ElementLoss _, ElementLossGradient _ -> {}
    }
  }

  /** Of each sample the place of its input length, that of its label length, those of labels. */
  private void tell(CtcLoss op) {
    int longest = in.get(1).dim(1);
    int sample = Math.toIntExact(place / (longest + 2L));
    int within = Math.toIntExact(place % (longest + 2L));
    TensorSpec logits = in.getFirst();
    switch (within) {
      case 0 -> op.requireLength(at, "input lengths", value, sample, 1, logits.dim(0));
      case 1 -> op.requireLength(at, "label lengths", value, sample, 0, longest);
      default -> op.requireLabel(at, value, sample, within - 2, logits.dim(2));
    }
  }
}
