package dev.halfcell.rest.supervisor;

import dev.halfcell.rest.service.JobLogWriter;
import dev.halfcell.rest.service.LogLevel;
import dev.halfcell.rest.service.LogLine;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Takes what a worker prints into the log of its job, each line with its time, until the process
 * has ended and all is read. A worker never waits for a disk that is full: what cannot be written
 * is counted.
 */
final class LogPump {
  private static final int BLOCK = 1 << 14;

  /** Longer lines go on in the next one. */
  private static final int LONGEST = 1 << 14;

  /** Colours and what else terminals obey. */
  private static final Pattern SEQUENCE = Pattern.compile("\u001b\\[[0-?]*[ -/]*[@-~]");

  private final Path log;
  private final JobLogWriter.Bounds bounds;
  private final int attempt;
  private final Optional<String> trace;
  private final Supplier<Optional<Long>> step;
  private final StringBuilder ready = new StringBuilder();
  private final ByteArrayOutputStream begun = new ByteArrayOutputStream();
  private PrintedLine before = PrintedLine.none();
  private Optional<JobLogWriter> writer = Optional.empty();
  private Thread thread = Thread.currentThread();
  private long lost;
  private volatile boolean abandoned;

  /**
   * One of an attempt.
   *
   * @param step the last step that its worker told of
   */
  LogPump(
      Path log,
      JobLogWriter.Bounds bounds,
      int attempt,
      Optional<String> trace,
      Supplier<Optional<Long>> step) {
    this.log = log;
    this.bounds = bounds;
    this.attempt = attempt;
    this.trace = trace;
    this.step = step;
  }

  /** Begins to read. On a thread of the system: such a read holds the one that it runs on. */
  LogPump start(InputStream printed) {
    thread = Thread.ofPlatform().daemon().name("halfcell-worker-log").start(() -> read(printed));
    return this;
  }

  /** Returns when all is in the log that the process printed; it has ended. */
  void finish(Duration atMost) {
    try {
      if (!thread.join(atMost)) {
        Log.warning("somebody still holds what a worker printed to; its log ends here");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    abandoned = true;
  }

  private void read(InputStream printed) {
    try (printed) {
      byte[] block = new byte[BLOCK];
      for (int read = printed.read(block); read >= 0; read = printed.read(block)) {
        split(block, read);
        write();
      }
      if (begun.size() > 0) {
        line();
        write();
      }
    } catch (IOException e) {
      Log.warning("what a worker prints cannot be read to its end", e);
    } finally {
      writer.ifPresent(LogPump::close);
    }
  }

  private static void close(JobLogWriter writer) {
    try {
      writer.close();
    } catch (IOException e) {
      Log.warning("the log of a worker could not be closed", e);
    }
  }

  private void split(byte[] block, int length) {
    for (int i = 0; i < length; i++) {
      if (block[i] == '\n' || block[i] == '\r') {
        if (begun.size() > 0) {
          line();
        }
      } else {
        begun.write(block[i]);
        if (begun.size() >= LONGEST) {
          line();
        }
      }
    }
  }

  private void line() {
    String text = plain(begun.toString(StandardCharsets.UTF_8));
    begun.reset();
    before = PrintedLine.of(text, before);
    ready.append(text(before.level(), before.text()));
  }

  private String text(LogLevel level, String message) {
    LogLine line =
        new LogLine(
            Optional.of(Instant.now()), level, Optional.of(attempt), step.get(), trace, message);
    return line.text() + "\n";
  }

  /** Without what a terminal would obey, or a reader take for the end of a line. */
  static String plain(String text) {
    StringBuilder plain = new StringBuilder(text.length());
    SEQUENCE
        .matcher(text)
        .replaceAll("")
        .codePoints()
        .filter(LogPump::shown)
        .forEach(plain::appendCodePoint);
    return plain.toString();
  }

  private static boolean shown(int character) {
    return character == '\t'
        || switch (Character.getType(character)) {
          case Character.CONTROL,
              Character.LINE_SEPARATOR,
              Character.PARAGRAPH_SEPARATOR,
              Character.SURROGATE ->
              false;
          // Those that turn the direction of text around.
          default ->
              !(character >= 0x202a && character <= 0x202e)
                  && !(character >= 0x2066 && character <= 0x2069);
        };
  }

  private void write() {
    if (abandoned || ready.isEmpty()) {
      ready.setLength(0);
      return;
    }
    try {
      if (lost > 0) {
        String told = lost + " characters before these lines could not be written";
        ready.insert(0, text(LogLevel.WARNING, told));
      }
      if (writer.isEmpty()) {
        writer = Optional.of(JobLogWriter.open(log, bounds));
      }
      writer.get().write(ready.toString());
      lost = 0;
    } catch (IOException e) {
      if (lost == 0) {
        Log.warning("the log of a worker cannot be written; it goes on without", e);
      }
      lost += ready.length();
      writer.ifPresent(LogPump::close); // its file may be closed already; the next one is its own
      writer = Optional.empty();
    }
    ready.setLength(0);
  }
}
