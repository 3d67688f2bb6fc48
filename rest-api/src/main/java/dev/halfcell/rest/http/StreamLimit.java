package dev.halfcell.rest.http;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many streams are open at once, until the server ends: then each is told to come to an end.
 * Threads may share it.
 */
final class StreamLimit {
  private final int most;
  private final AtomicInteger open = new AtomicInteger();
  private final Set<Runnable> woken = ConcurrentHashMap.newKeySet();
  private volatile boolean ending;

  StreamLimit(int most) {
    this.most = most;
  }

  /** One of them, until it is closed; by one thread. */
  final class Place implements AutoCloseable {
    private boolean closed;

    private Place() {}

    /** Those that it is one of. */
    StreamLimit all() {
      return StreamLimit.this;
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        open.decrementAndGet();
      }
    }
  }

  /** Opens one more, unless there are too many or the server ends. */
  Place take() {
    if (ending) {
      throw Refusal.of(ProblemKind.UNAVAILABLE, "The server ends; the next one tells.");
    }
    if (open.incrementAndGet() > most) {
      open.decrementAndGet();
      throw Refusal.of(ProblemKind.TOO_MANY, most + " streams are open, and no more may be.")
          .with("Retry-After", "5");
    }
    return new Place();
  }

  /** Who waits for something is called when the server ends; {@link #ending} is asked after it. */
  Waiting wakeBy(Runnable call) {
    woken.add(call);
    return () -> woken.remove(call);
  }

  /** Ends the waiting. */
  @FunctionalInterface
  interface Waiting extends AutoCloseable {
    @Override
    void close();
  }

  /** The server ends: all streams come to an end, and no more are opened. */
  void end() {
    ending = true;
    woken.forEach(Runnable::run);
  }

  /** Whether the server ends. */
  boolean ending() {
    return ending;
  }

  int open() {
    return open.get();
  }
}
