package dev.halfcell.backend;

import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.UsageException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Lets one thread at a time into something that is made for one, and names both where a second one
 * comes.
 */
public final class ThreadGuard {
  private final String what;
  private final String fix;
  private final AtomicReference<Thread> owner = new AtomicReference<>();

  /** A guard before {@code what}, as messages are to call it. */
  public ThreadGuard(String what) {
    this(what, "Compile a plan for each thread.");
  }

  /** The same with what to do about it. */
  public ThreadGuard(String what, String fix) {
    this.what = what;
    this.fix = fix;
  }

  /** Enters; the answer is closed to leave. */
  public Pass enter() {
    Thread me = Thread.currentThread();
    Thread other = owner.compareAndExchange(null, me);
    if (other != null) {
      throw new UsageException(
          new Problem(
              what,
              "",
              "one thread at a time",
              "thread " + me.getName() + " while " + other.getName() + " is inside",
              fix));
    }
    return () -> owner.set(null);
  }

  /** The right to be inside, until it is closed. */
  @FunctionalInterface
  public interface Pass extends AutoCloseable {
    @Override
    void close();
  }
}
