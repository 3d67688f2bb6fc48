package dev.halfcell.tensor;

/** There is not enough memory, within what a run or Java was allowed or the machine has. */
public final class MemoryException extends FrameworkException {
  /** More is needed than may be taken, as was found before it was tried. */
  public MemoryException(Problem problem) {
    super(problem);
  }

  MemoryException(long wanted, long held, Throwable cause) {
    super(
        new Problem(
            "TensorScope",
            "",
            wanted + " bytes of memory outside the heap",
            cause.getMessage() + "; this scope holds " + held + " bytes",
            "Take a smaller batch or network, close scopes earlier, or start Java with a larger"
                + " -XX:MaxDirectMemorySize."),
        cause);
  }
}
