package dev.halfcell.cpu.onednn;

import dev.halfcell.tensor.Problem;

/** Something that this backend does not compute, on any CPU. */
public final class UnsupportedException extends CpuException {
  public UnsupportedException(Problem problem) {
    super(problem);
  }
}
