package dev.halfcell.cli;

/** A chart could not be drawn or written on this machine; the run itself is not touched by it. */
final class UndrawableException extends Exception {
  UndrawableException(Throwable cause) {
    super(cause.toString(), cause);
  }
}
