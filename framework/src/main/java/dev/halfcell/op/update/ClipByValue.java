package dev.halfcell.op.update;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/** (gradient) → each element, but not below −largest and not above largest. */
public record ClipByValue(double largest) implements Clip {
  public ClipByValue {
    Clip.requireLargest("clip value", largest);
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    new Requirements(this, in, at).count(1).floating(0);
    return in;
  }
}
