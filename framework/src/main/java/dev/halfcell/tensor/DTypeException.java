package dev.halfcell.tensor;

/** An op was given tensors of dtypes that it cannot work on. */
public final class DTypeException extends FrameworkException {
  public DTypeException(Problem problem) {
    super(problem);
  }
}
