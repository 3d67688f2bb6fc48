package dev.halfcell.tensor;

/** The branch of {@link HalfCellException} that module {@code framework} throws. */
public abstract sealed class FrameworkException extends HalfCellException
    permits ArgumentException,
        DTypeException,
        DataException,
        MemoryException,
        NonFiniteException,
        ShapeException,
        UsageException {
  FrameworkException(Problem problem) {
    super(problem);
  }

  FrameworkException(Problem problem, Throwable cause) {
    super(problem, cause);
  }
}
