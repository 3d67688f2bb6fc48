package dev.halfcell.op.update;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/** (n, finite) → n + 1 where finite, else n: an INT64 scalar. */
public record CountFinite() implements Window {
  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    new Requirements(this, in, at).scalars(DType.INT64, DType.BOOL);
    return in.subList(0, 1);
  }
}
