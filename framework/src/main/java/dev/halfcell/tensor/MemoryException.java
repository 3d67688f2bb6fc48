package dev.halfcell.tensor;

/** There is not enough memory for a tensor, within what Java was allowed or the machine has. */
public final class MemoryException extends FrameworkException {
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
