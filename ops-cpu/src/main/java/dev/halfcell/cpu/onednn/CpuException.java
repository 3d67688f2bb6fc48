package dev.halfcell.cpu.onednn;

import dev.halfcell.tensor.HalfCellException;
import dev.halfcell.tensor.Problem;

/** The branch of {@link HalfCellException} that the CPU backend throws. */
public abstract sealed class CpuException extends HalfCellException
    permits NativeCallException,
        NativeLibraryException,
        UnimplementedException,
        UnsupportedException {
  CpuException(Problem problem) {
    super(problem);
  }

  CpuException(Problem problem, Throwable cause) {
    super(problem, cause);
  }
}
