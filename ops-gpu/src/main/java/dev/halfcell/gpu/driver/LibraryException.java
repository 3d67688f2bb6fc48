package dev.halfcell.gpu.driver;

import dev.halfcell.tensor.Problem;

/** A library of NVIDIA beside the driver cannot be used, or a call of it answered with an error. */
public final class LibraryException extends GpuException {
  /** One that {@code problem} tells of. */
  public LibraryException(Problem problem) {
    super(problem);
  }

  /** One that {@code problem} tells of, and what it comes from. */
  public LibraryException(Problem problem, Throwable cause) {
    super(problem, cause);
  }
}
