package dev.halfcell.op.precision;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.PrecisionClass;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * (scale, clean steps, finite, [words], [largest]) → the next scale, clean steps and [words], as
 * {@link LossScale#next} says. Words are there where the rule remembers any, the largest magnitude
 * where it reads it.
 *
 * <p>Shapes: scalars, and [count] of the words. Dtypes: FP32, INT64, BOOL, FP64, FP32.
 */
public record ScaleUpdate(LossScale rule) implements Precision {
  /** How many numbers the rule remembers beside scale and clean steps. */
  public int words() {
    return rule.start().words().size();
  }

  /**
   * What the inputs say comes next.
   *
   * @param in their values, in order
   */
  public LossScale.State next(List<double[]> in) {
    List<Double> words = words() == 0 ? List.of() : Arrays.stream(in.get(3)).boxed().toList();
    LossScale.State now = new LossScale.State(in.get(0)[0], (long) in.get(1)[0], words);
    boolean finite = in.get(2)[0] != 0;
    return rule.next(
        now,
        rule.readsLargest()
            ? LossScale.Verdict.of(finite, in.getLast()[0])
            : LossScale.Verdict.of(finite));
  }

  @Override
  public PrecisionClass precision() {
    return PrecisionClass.FULL;
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    int words = words() > 0 ? 1 : 0;
    int largest = rule.readsLargest() ? 1 : 0;
    Requirements must =
        new Requirements(this, in, at)
            .count(3 + words + largest)
            .dtype(0, 1, DType.FP32)
            .dtype(1, 2, DType.INT64)
            .dtype(2, 3, DType.BOOL)
            .dtype(3, 3 + words, DType.FP64)
            .dtype(3 + words, in.size(), DType.FP32)
            .rank(0, 0, "[]")
            .rank(1, 0, "[]")
            .rank(2, 0, "[]");
    if (words > 0) {
      must.shape(
          in.get(3).shape().equals(Shape.of(words())),
          "words of shape [" + words() + "]",
          "Use a state that was made for this loss scale.");
    }
    if (largest > 0) {
      must.rank(in.size() - 1, 0, "[]");
    }
    return Stream.concat(in.stream().limit(2), in.stream().skip(3).limit(words)).toList();
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    throw b.none();
  }
}
