package dev.halfcell.rest.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;

/** Where an answer is written that comes bit by bit. One thread writes, which is none of Vert.x. */
final class Outlet {
  private static final long LOOK_MILLISECONDS = 5;

  private final HttpServerResponse response;
  private final Duration patience;
  private final boolean wanted;

  Outlet(HttpServerResponse response, Duration patience) {
    this(response, patience, true);
  }

  private Outlet(HttpServerResponse response, Duration patience, boolean wanted) {
    this.response = response;
    this.patience = patience;
    this.wanted = wanted;
  }

  /** One from which nobody reads: of an answer, only the head was asked for. */
  static Outlet unwanted(HttpServerResponse response) {
    return new Outlet(response, Duration.ZERO, false);
  }

  /** Whether somebody still reads. */
  boolean open() {
    return wanted && !response.closed() && !response.ended();
  }

  /** Writes, and lets the reader fall behind; false where it is too far behind or gone. */
  boolean offer(byte[] bytes) {
    if (!open() || response.writeQueueFull()) {
      return false;
    }
    response.write(Buffer.buffer(bytes));
    return true;
  }

  /** Writes, and waits for a slow reader; false where it is too slow or gone. */
  boolean write(byte[] bytes) {
    long end = System.nanoTime() + patience.toNanos();
    while (open() && response.writeQueueFull()) {
      if (System.nanoTime() > end) {
        return false;
      }
      try {
        Thread.sleep(LOOK_MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
    return offer(bytes);
  }

  /**
   * Ends the connection in the middle of the answer: its reader shall know that it is not whole.
   */
  void breakOff() {
    if (wanted) {
      response.reset();
    }
  }
}
