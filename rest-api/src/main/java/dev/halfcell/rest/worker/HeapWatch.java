package dev.halfcell.rest.worker;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Ends the process where its Java heap is full ({@link FullHeap}), on a thread of its own. In such
 * a heap nothing can be relied on that allocates, telling the server of it included: the exit code
 * tells, and a line in the log that was made before.
 */
final class HeapWatch {
  private static final long PAUSE_MILLISECONDS = 250;
  private static final double MEBIBYTE = 1 << 20;

  private final FullHeap heap = new FullHeap();
  private final FileOutputStream log = new FileOutputStream(FileDescriptor.err);
  private final int code;
  private final byte[] line;
  private GarbageCollectorMXBean[] collectors = {};

  private HeapWatch(int code) {
    this.code = code;
    this.line =
        String.format(
                Locale.ROOT,
                "the worker ends with exit code %d: its Java heap, %.0f MiB, is full%n",
                code,
                Runtime.getRuntime().maxMemory() / MEBIBYTE)
            .getBytes(StandardCharsets.UTF_8);
  }

  /** Watches from now on, and ends the process with that exit code. */
  static void start(int code) {
    Thread.ofPlatform().daemon().name("halfcell-heap").start(new HeapWatch(code)::run);
  }

  private void run() {
    try {
      while (!full()) {
        Thread.sleep(PAUSE_MILLISECONDS);
      }
    } catch (OutOfMemoryError full) {
      // It is what was watched for.
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts this thread", e);
    }
    try {
      log.write(line);
    } catch (IOException e) {
      // There is nobody to tell, and the exit code says the same.
    } finally {
      Runtime.getRuntime().halt(code);
    }
  }

  private boolean full() {
    Runtime java = Runtime.getRuntime();
    long used = java.totalMemory() - java.freeMemory();
    if (collectors.length == 0) {
      if (!FullHeap.isNear(used, java.maxMemory())) {
        return false;
      }
      // Only now: the classes that this loads are none that a sound process needs.
      collectors =
          ManagementFactory.getGarbageCollectorMXBeans().toArray(GarbageCollectorMXBean[]::new);
    }
    return heap.look(System.nanoTime(), collected(), used, java.maxMemory());
  }

  private long collected() {
    long milliseconds = 0;
    for (GarbageCollectorMXBean each : collectors) {
      milliseconds += each.getCollectionTime();
    }
    return milliseconds;
  }
}
