package dev.halfcell.rest.http;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes that wait for all readers of streams together: what each alone may have is, times all
 * of them, more than the heap has. Threads may share it.
 */
final class Backlog {
  /** What a reader may always have waiting. */
  static final int SHARE = 64 << 10;

  private final long most;
  private final AtomicLong waiting = new AtomicLong();

  /**
   * One of nothing.
   *
   * @param most bytes; with more than these, who has more than a share is dropped
   */
  Backlog(long most) {
    this.most = most;
  }

  /** One that leaves the heap to others. */
  static Backlog ofThisHeap() {
    return new Backlog(Runtime.getRuntime().maxMemory() / 8);
  }

  void add(int bytes) {
    waiting.addAndGet(bytes);
  }

  boolean full() {
    return waiting.get() >= most;
  }
}
