package dev.halfcell.rest.http;

import dev.halfcell.rest.tracing.Tracing;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

  /** What comes in this time is written together: to wake a thread takes longer than a line. */
  private static final long TOGETHER_MILLISECONDS = 50;

  private static final long PATIENCE_MILLISECONDS = 2_000;

  private final BlockingQueue<AccessEntry> waiting = new ArrayBlockingQueue<>(WAITING);
  private final AtomicLong leftOut = new AtomicLong();
  private final Tracing tracing;
  private final Optional<Thread> writing;
  private volatile boolean closed;

  private AccessLog(Optional<Consumer<List<String>>> to, Tracing tracing) {
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
    RotatingFile rotating = new RotatingFile(file, RotatingFile.USUAL_BYTES);
    return new AccessLog(Optional.of(lines -> rotating.write(String.join("\n", lines))), tracing);
  }

  /**
   * One where the rest of the server's log goes, which is the standard error.
   *
   * @param tracing is told of each request, too
   */
  public static AccessLog standardError(Tracing tracing) {
    return new AccessLog(
        Optional.of(lines -> lines.forEach(line -> LOG.log(Level.INFO, line))), tracing);
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

  private void write(Consumer<List<String>> to) {
    try {
      while (!closed || !waiting.isEmpty()) {
        AccessEntry first = waiting.poll(LOOK_MILLISECONDS, TimeUnit.MILLISECONDS);
        List<String> lines = new ArrayList<>();
        if (first != null) {
          TimeUnit.MILLISECONDS.sleep(TOGETHER_MILLISECONDS);
          List<AccessEntry> entries = new ArrayList<>(List.of(first));
          waiting.drainTo(entries);
          entries.forEach(entry -> lines.add(entry.line()));
        }
        long missing = leftOut.getAndSet(0);
        if (missing > 0) {
          lines.add("{\"leftOut\":" + missing + "}");
        }
        if (!lines.isEmpty()) {
          to.accept(lines);
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
