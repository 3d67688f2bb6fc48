package dev.halfcell.nn;

/** y = ln softmax(x) along an axis. Op: {@link dev.halfcell.op.reduction.LogSoftmax}. */
public final class LogSoftmax extends AlongAxisCell {
  /** Along the last axis. */
  public LogSoftmax() {
    this(-1);
  }

  /** Along an axis, counted from 0, or from the end as −1, −2, ... */
  public LogSoftmax(int axis) {
    super(axis, dev.halfcell.op.reduction.LogSoftmax::new);
  }
}
