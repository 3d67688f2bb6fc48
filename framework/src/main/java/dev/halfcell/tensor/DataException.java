package dev.halfcell.tensor;

/** A file or a value read from one is not what it claims to be. */
public final class DataException extends FrameworkException {
  public DataException(Problem problem) {
    super(problem);
  }

  public DataException(Problem problem, Throwable cause) {
    super(problem, cause);
  }
}
