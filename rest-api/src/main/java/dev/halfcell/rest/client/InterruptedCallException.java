package dev.halfcell.rest.client;

import java.io.InterruptedIOException;

/** The thread was asked to stop; it is not tried again. */
final class InterruptedCallException extends InterruptedIOException {
  private static final long serialVersionUID = 1L;

  InterruptedCallException() {
    super("the thread was interrupted");
  }
}
