package dev.halfcell.rest.worker;

/** Bytes that are no message, or a message that has no place where it came. */
public final class ProtocolException extends Exception {
  private static final long serialVersionUID = 1L;

  /** One that says what came, and what would have been right. */
  public ProtocolException(String message) {
    super(message);
  }

  ProtocolException(String message, Throwable cause) {
    super(message, cause);
  }
}
