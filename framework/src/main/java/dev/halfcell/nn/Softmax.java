package dev.halfcell.nn;

/** y = e^x / Σ e^x along an axis. Op: {@link dev.halfcell.op.reduction.Softmax}. */
public final class Softmax extends AlongAxisCell {
  /** Along the last axis. */
  public Softmax() {
    this(-1);
  }

  /** Along an axis, counted from 0, or from the end as −1, −2, ... */
  public Softmax(int axis) {
    super(axis, dev.halfcell.op.reduction.Softmax::new);
  }
}
