package dev.halfcell.cpu.onednn;

import dev.halfcell.tensor.Problem;

/** The native library cannot be found, unpacked or opened. */
public final class NativeLibraryException extends CpuException {
  public NativeLibraryException(Problem problem) {
    super(problem);
  }

  public NativeLibraryException(Problem problem, Throwable cause) {
    super(problem, cause);
  }
}
