package dev.halfcell.cpu.onednn;

import dev.halfcell.tensor.Problem;

/** A call into the native library answered with an error. */
public final class NativeCallException extends CpuException {
  public NativeCallException(Problem problem) {
    super(problem);
  }

  public NativeCallException(Problem problem, Throwable cause) {
    super(problem, cause);
  }
}
