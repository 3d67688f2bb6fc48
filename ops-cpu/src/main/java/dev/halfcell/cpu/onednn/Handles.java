package dev.halfcell.cpu.onednn;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Owns native objects and destroys them, the last one first, when it is closed. Filled by one
 * thread.
 */
public final class Handles implements AutoCloseable {
  private final Deque<Runnable> destructors = new ArrayDeque<>();

  void add(Runnable destructor) {
    destructors.push(destructor);
  }

  @Override
  public void close() {
    while (!destructors.isEmpty()) {
      destructors.pop().run();
    }
  }
}
