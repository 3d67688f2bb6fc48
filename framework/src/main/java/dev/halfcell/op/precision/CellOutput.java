package dev.halfcell.op.precision;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.PrecisionClass;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/** The identity where a cell's output leaves it: there a precision plan rounds. Gradient: d. */
public record CellOutput() implements Precision {
  @Override
  public PrecisionClass precision() {
    return PrecisionClass.KEEP;
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    new Requirements(this, in, at).count(1);
    return in;
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    return List.of(b.d(0));
  }
}
