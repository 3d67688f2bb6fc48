package dev.halfcell.tensor;

/** An op was given tensors of shapes that it cannot work on. */
public final class ShapeException extends FrameworkException {
  public ShapeException(Problem problem) {
    super(problem);
  }
}
