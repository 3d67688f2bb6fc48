package dev.halfcell.op.loss;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (logits, labels, input lengths, label lengths) → loss, slope: −log of the probability that
 * softmax(logits) gives all alignments of a sample's labels with its frames, reduced; for a mean
 * each sample's loss is divided by the number of its labels (by 1 where it has none) before. In an
 * alignment each label may be repeated, and blanks may stand anywhere; between two equal labels one
 * has to. Computed in logarithms; the slope is the gradient of the loss by the logits, from the
 * same pass over both directions.
 *
 * <p>Shapes: logits and slope [T, N, C], labels [N, S], both lengths [N], the loss a scalar, or [N]
 * with {@link LossReduction#NONE}. Of a sample only its first frames and labels are read, as many
 * as its lengths say; the slope of other frames is 0. Labels that cannot be aligned, because there
 * are too few frames, have probability 0: the loss is infinite and the sample's slope NaN, so that
 * the step is not applied; with {@code zeroInfinity} such a sample adds 0 to both.
 *
 * <p>Gradient: d · slope, by the logits only. Errors: an input length outside 1 to T, a label
 * length outside 0 to S, and a label that is the blank or no class are each a {@link
 * DataException}. Source: Graves et al., "Connectionist Temporal Classification", ICML 2006,
 * section 4.
 *
 * @param blank the class that stands for no label
 * @param zeroInfinity whether samples of probability 0 are left out
 */
public record CtcLoss(int blank, LossReduction reduction, boolean zeroInfinity) implements Loss {
  public CtcLoss {
    ArgumentException.require(blank >= 0, "CtcLoss blank", "a class, counted from 0", blank);
  }

  /** What a sample's loss is divided by before the reduction, if it has so many labels. */
  public int divisor(int labels) {
    return reduction.divisor(labels);
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must = new Requirements(this, in, at).count(4).floating(0);
    must.integer(1).integer(2).integer(3).rank(0, 3, "[T, N, C]").rank(1, 2, "[N, S]");
    must.rank(2, 1, "[N]").rank(3, 1, "[N]");
    TensorSpec logits = in.getFirst();
    must.shape(
        in.stream().skip(1).allMatch(each -> each.dim(0) == logits.dim(1)),
        "labels and lengths of " + logits.dim(1) + " samples",
        "Logits are [T, N, C]: frames come first.");
    must.shape(
        blank < logits.dim(2),
        "more than " + blank + " classes, since " + blank + " is the blank",
        "The blank is one of the classes that the network gives a logit.");
    TensorSpec slope = logits.as(logits.dtype().wide());
    return List.of(new TensorSpec(slope.dtype(), reduction.of(in.get(2).shape())), slope);
  }

  /** Throws unless {@code length}, of sample {@code n}, is from {@code least} to {@code most}. */
  public int requireLength(CellPath at, String what, long length, int n, int least, int most) {
    return require(
        at,
        length >= least && length <= most,
        "%s from %d to %d".formatted(what, least, most),
        "%d for sample %d".formatted(length, n),
        length);
  }

  /** Throws unless label {@code i} of sample {@code n} is a class and not the blank. */
  public int requireLabel(CellPath at, long label, int n, int i, int classes) {
    return require(
        at,
        label >= 0 && label < classes && label != blank,
        "labels from 0 to %d (%d classes) without the blank %d"
            .formatted(classes - 1, classes, blank),
        "label %d at place %d of sample %d".formatted(label, i, n),
        label);
  }

  private int require(CellPath at, boolean holds, String expected, String got, long value) {
    if (!holds) {
      String fix = "Check the data set's labels and lengths.";
      throw new DataException(new Problem(label(), at.text(), expected, got, fix));
    }
    return (int) value;
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    Shape samples = Shape.of(b.in(0).spec().dim(1), 1);
    Tensor d = b.ops().reshape(b.d(), reduction.of(samples));
    Tensor slope = b.ops().mul(b.out(1), d);
    return List.of(b.wide(0) ? slope : b.ops().cast(slope, b.in(0).dtype()));
  }
}
