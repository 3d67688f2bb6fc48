package dev.halfcell.tensor;

/** Something was called at a time, from a thread or in an order in which it cannot work. */
public final class UsageException extends FrameworkException {
  public UsageException(Problem problem) {
    super(problem);
  }

  /** The same with what led to it. */
  public UsageException(Problem problem, Throwable cause) {
    super(problem, cause);
  }
}
