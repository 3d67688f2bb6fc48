package dev.halfcell.rest.http;

import dev.halfcell.rest.tracing.Tracing;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Writes a line of JSON for each request, on a thread of its own: nobody waits for it, or for a
 * disk. It tells of each one where traces go, too. Where that cannot keep up lines are left out,
 * and a line says how many. Threads may share it.
 */
public final class AccessLog implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.halfcell.rest.access");
  private static final int WAITING = 10_000;
  private static final long LOOK_MILLISECONDS = 200;
  private static final long PATIENCE_MILLISECONDS = 2_000;

  private final BlockingQueue<AccessEntry> waiting = new ArrayBlockingQueue<>(WAITING);
  private final AtomicLong leftOut = new AtomicLong();
  private final Tracing tracing;
  private final Optional<Thread> writing;
  private volatile boolean closed;

  private AccessLog(Optional<Consumer<String>> to, Tracing tracing) {
    this.tracing = tracing;
    writing =
        to.map(
            lines ->
                Thread.ofPlatform().daemon().name("halfcell-access-log").start(() -> write(lines)));
  }

  /**
   * One into a file, which begins anew when it is long; the last few are kept.
   *
   * @param tracing is told of each request, too
   */
  public static AccessLog file(Path file, Tracing tracing) {
    return new AccessLog(
        Optional.of(new RotatingFile(file, RotatingFile.USUAL_BYTES)::write), tracing);
  }

  /**
   * One where the rest of the server's log goes, which is the standard error.
   *
   * @param tracing is told of each request, too
   */
  public static AccessLog standardError(Tracing tracing) {
    return new AccessLog(Optional.of(line -> LOG.log(Level.INFO, line)), tracing);
  }

  /**
   * One that writes nothing.
   *
   * @param tracing is told of each request all the same
   */
  public static AccessLog none(Tracing tracing) {
    return new AccessLog(Optional.empty(), tracing);
  }

  void add(AccessEntry entry) {
    tracing.tell(entry::part);
    if (writing.isPresent() && !waiting.offer(entry)) {
      leftOut.incrementAndGet();
    }
  }

  private void write(Consumer<String> to) {
    try {
      while (!closed || !waiting.isEmpty()) {
        AccessEntry entry = waiting.poll(LOOK_MILLISECONDS, TimeUnit.MILLISECONDS);
        if (entry != null) {
          to.accept(entry.line());
        }
        long missing = leftOut.getAndSet(0);
        if (missing > 0) {
          to.accept("{\"leftOut\":" + missing + "}");
        }
      }
    } catch (InterruptedException e) {
      LOG.log(Level.WARNING, "nobody interrupts this thread", e);
    }
  }

  /** Returns when all is written, but waits for no disk that hangs. */
  @Override
  public void close() {
    closed = true;
    try {
      if (writing.isPresent()) {
        writing.get().join(PATIENCE_MILLISECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
