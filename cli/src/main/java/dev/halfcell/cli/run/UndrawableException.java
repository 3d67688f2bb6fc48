package dev.halfcell.cli.run;

/** A chart could not be drawn or written on this machine; the run itself is not touched by it. */
public final class UndrawableException extends Exception {
  UndrawableException(Throwable cause) {
    super(first(cause).toString(), cause);
  }

  /** What the libraries in between only wrap, some of them on several lines. */
  private static Throwable first(Throwable reason) {
    Throwable first = reason;
    while (first.getCause() != null) {
      first = first.getCause();
    }
    return first;
  }
}
