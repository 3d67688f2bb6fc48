package dev.halfcell.rest.http;

import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Where an answer is written that comes bit by bit. One thread writes, which is none of Vert.x;
 * what it writes is handed to the connection's event loop in order. Vert.x's own question whether a
 * queue is full is of no use here: from other threads it counts a few writes, not their bytes.
 */
final class Outlet {
  /** Whoever waits for a reader looks so often whether there is still one. */
  private static final long LOOK_MILLISECONDS = 500;

  private final Context context;
  private final HttpServerResponse response;
  private final Runnable cut;
  private final Duration patience;
  private final int most;
  private final Backlog all;
  private final AtomicInteger waiting = new AtomicInteger();
  private final Object room = new Object();
  private volatile boolean roomWanted;
  private volatile boolean open;

  private Outlet(
      Context context,
      HttpServerResponse response,
      Runnable cut,
      Duration patience,
      int most,
      Backlog all,
      boolean open) {
    this.context = context;
    this.response = response;
    this.cut = cut;
    this.patience = patience;
    this.most = most;
    this.all = all;
    this.open = open;
  }

  /**
   * One that somebody reads from.
   *
   * @param cut ends the connection at once, whatever still waits to be sent
   * @param patience how long a reader may stand still
   * @param most bytes that may wait for a reader
   * @param all what waits for this reader and all others
   */
  static Outlet to(
      Context context,
      HttpServerResponse response,
      Runnable cut,
      Duration patience,
      int most,
      Backlog all) {
    return new Outlet(context, response, cut, patience, most, all, true);
  }

  /** One from which nobody reads: of an answer, only the head was asked for. */
  static Outlet unwanted(Context context, HttpServerResponse response) {
    return new Outlet(context, response, () -> {}, Duration.ZERO, 0, new Backlog(0), false);
  }

  /** Whether somebody still reads. */
  boolean open() {
    return open && !response.closed();
  }

  /** Writes, and lets the reader fall behind; false where it is too far behind or gone. */
  boolean offer(byte[] bytes) {
    int behind = waiting.get();
    if (!open() || behind >= most || behind >= Backlog.SHARE && all.full()) {
      return false;
    }
    add(bytes.length);
    context.runOnContext(
        _ -> response.write(Buffer.buffer(bytes)).onComplete(_ -> taken(bytes.length)));
    return true;
  }

  private void taken(int bytes) {
    add(-bytes);
    if (roomWanted) {
      synchronized (room) {
        room.notifyAll();
      }
    }
  }

  private void add(int bytes) {
    waiting.addAndGet(bytes);
    all.add(bytes);
  }

  /** Writes, and waits for a slow reader; false where it is too slow or gone. */
  boolean write(byte[] bytes) {
    if (waiting.get() >= Math.min(most, Backlog.SHARE) && !awaitRoom()) {
      return false;
    }
    return offer(bytes);
  }

  private boolean awaitRoom() {
    long end = System.nanoTime() + patience.toNanos();
    synchronized (room) {
      // Seen by the event loop, or else what it has taken is seen here.
      roomWanted = true;
      try {
        while (open() && waiting.get() >= Math.min(most, Backlog.SHARE)) {
          if (System.nanoTime() > end) {
            return false;
          }
          room.wait(LOOK_MILLISECONDS);
        }
        return true;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      } finally {
        roomWanted = false;
      }
    }
  }

  /** Ends the answer behind all that was written; not where it was broken off. */
  void end() {
    if (open) {
      open = false;
      context.runOnContext(
          _ -> {
            if (!response.closed()) {
              response.end();
            }
          });
    }
  }

  /**
   * Ends the connection in the middle of the answer: its reader shall know that it is not whole.
   * Nothing waits for what was written before, which a reader who stands still never takes.
   */
  void breakOff() {
    if (open) {
      open = false;
      context.runOnContext(_ -> cut.run());
    }
  }
}
