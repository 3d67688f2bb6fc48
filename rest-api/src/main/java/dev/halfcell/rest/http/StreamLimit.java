package dev.halfcell.rest.http;

import java.util.concurrent.atomic.AtomicInteger;

/** How many streams are open at once. Threads may share it. */
final class StreamLimit {
  private final int most;
  private final AtomicInteger open = new AtomicInteger();

  StreamLimit(int most) {
    this.most = most;
  }

  /** One of them, until it is closed; by one thread. */
  static final class Place implements AutoCloseable {
    private final AtomicInteger open;
    private boolean closed;

    private Place(AtomicInteger open) {
      this.open = open;
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        open.decrementAndGet();
      }
    }
  }

  /** Opens one more, unless there are too many. */
  Place take() {
    if (open.incrementAndGet() > most) {
      open.decrementAndGet();
      throw Refusal.of(ProblemKind.TOO_MANY, most + " streams are open, and no more may be.")
          .with("Retry-After", "5");
    }
    return new Place(open);
  }

  int open() {
    return open.get();
  }
}
