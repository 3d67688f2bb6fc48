package dev.halfcell.op.precision;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * The same values in another dtype. To a floating one: rounded to nearest even, and what is too
 * large becomes what {@code overflow} says. To whole numbers: truncated toward zero, a NaN becomes
 * 0, and what is too large the nearest that there is, of UINT8 the remainder by 256. To BOOL:
 * whether the value is not 0.
 *
 * @param to the dtype of the result
 * @param overflow what becomes of what is too large for a floating dtype
 */
public record Cast(DType to, CastOverflow overflow) implements Casting {
  public Cast {
    ArgumentException.require(
        to.floating() || overflow == CastOverflow.INF,
        "cast overflow",
        "a floating dtype to cast to, or INF",
        overflow + " to " + to.label());
  }

  /** A cast that makes an infinity of what is too large. */
  public Cast(DType to) {
    this(to, CastOverflow.INF);
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    new Requirements(this, in, at).count(1);
    return List.of(in.getFirst().as(to));
  }
}
