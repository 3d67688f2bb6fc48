package dev.halfcell.nn;

import dev.halfcell.op.elementwise.Clip;
import dev.halfcell.tensor.Tensor;

/** y = min(max(x, 0), most), as of Deep Speech 2. Op: {@link Clip}. */
public final class ClippedReLU extends Cell {
  private final Clip op;

  /** Values of at most 20. */
  public ClippedReLU() {
    this(20);
  }

  /** Values of at most {@code most}, itself at least 0. */
  public ClippedReLU(double most) {
    this.op = new Clip(0, most);
  }

  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    return f.ops().run(op, f.only(inputs));
  }
}
