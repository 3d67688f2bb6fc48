package dev.halfcell.gpu;

import java.util.ArrayDeque;
import java.util.Deque;

/** What ends together, the last first, even if one of them fails to. Ending twice does nothing. */
final class Owned implements AutoCloseable {
  private final Deque<Runnable> ends = new ArrayDeque<>();

  /** Has this done at the end, too. */
  void atEnd(Runnable end) {
    ends.push(end);
  }

  @Override
  public void close() {
    if (!ends.isEmpty()) {
      try {
        ends.pop().run();
      } finally {
        close();
      }
    }
  }
}
