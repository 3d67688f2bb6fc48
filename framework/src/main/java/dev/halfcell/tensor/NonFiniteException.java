package dev.halfcell.tensor;

/** Training met values that are not finite, again and again, and going on would not help. */
public final class NonFiniteException extends FrameworkException {
  public NonFiniteException(Problem problem) {
    super(problem);
  }
}
