package dev.halfcell.op.update;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * How one parameter moves: (w, slots ..., gradient, rate[, applied]) → w', slots' ...
 *
 * <p>Shapes: w, slots and gradient alike, rate a scalar, applied an INT64 scalar: the steps applied
 * before this one. A slot is rounded to its dtype when it is stored, and w' is computed from the
 * rounded slot. In the formulas g is the gradient of w, with what the rule adds to it.
 */
public sealed interface UpdateRule extends Update
    permits AdagradRule, AdamRule, LambRule, LarsRule, MomentumRule, RmsPropRule, SgdRule {
  /** The names of what it remembers of each parameter, in the order of its inputs. */
  List<String> slots();

  /** Whether it takes the number of applied steps behind the rate. */
  default boolean counted() {
    return false;
  }

  @Override
  default List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    int alike = slots().size() + 2;
    Requirements requirements =
        new Requirements(this, in, at)
            .count(alike + (counted() ? 2 : 1))
            .floating(0)
            .shape(
                in.subList(0, alike).stream().distinct().count() == 1,
                "parameter, slots and gradient of one shape and dtype",
                "Gradients of parameters are fp32 and have the parameter's shape.")
            .floating(alike)
            .rank(alike, 0, "[]");
    if (counted()) {
      requirements.dtype(alike + 1, alike + 2, DType.INT64).rank(alike + 1, 0, "[]");
    }
    return in.subList(0, alike - 1);
  }
}
