package dev.halfcell.tensor;

/**
 * Knows a full Java heap where Java calls it something else. Lambdas, switches over types, joined
 * text and classes are made when the code that has them first runs; what fails there arrives as a
 * {@link LinkageError}, such as {@link BootstrapMethodError}, and the {@link OutOfMemoryError}
 * stands among its causes.
 */
public final class OutOfHeap {
  private OutOfHeap() {}

  /** The {@link OutOfMemoryError} that kept code from being linked; else what was thrown. */
  public static Throwable orThrown(Throwable thrown) {
    if (thrown instanceof LinkageError) {
      for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
        if (cause instanceof OutOfMemoryError) {
          return cause;
        }
      }
    }
    return thrown;
  }
}
