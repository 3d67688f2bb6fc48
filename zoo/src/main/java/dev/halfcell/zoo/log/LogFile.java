package dev.halfcell.zoo.log;

import dev.halfcell.disk.Disk;
import dev.halfcell.tensor.DataException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * A file that grows while a training runs. What is added waits in memory until there is much of it
 * or someone wants it written. One thread.
 */
public final class LogFile implements AutoCloseable {
  private static final int MOST_WAITING = 1 << 16;

  private final String subject;
  private final Path file;
  private final Disk.Output to;
  private final ByteArrayOutputStream waiting = new ByteArrayOutputStream();
  private long written;

  /** How a file is opened. */
  @FunctionalInterface
  public interface Opening {
    /** Opens it. */
    Disk.Output open() throws IOException;
  }

  /**
   * A file that has a length.
   *
   * @param subject who writes it, as errors are to say
   * @throws DataException where it cannot be opened
   */
  public LogFile(String subject, Path file, long length, Opening opening) {
    this.subject = subject;
    this.file = file;
    this.written = length;
    try {
      this.to = opening.open();
    } catch (IOException e) {
      throw DataException.unwritable(subject, file, e);
    }
  }

  /** A new file, in the place of what has its name; a crash does not undo that it is there. */
  public static LogFile create(String subject, Disk disk, Path file) {
    return new LogFile(
        subject,
        file,
        0,
        () -> {
          Disk.Output to = disk.create(file);
          try {
            disk.force(file.toAbsolutePath().resolveSibling(""));
            return to;
          } catch (IOException e) {
            to.close();
            throw e;
          }
        });
  }

  /** Adds bytes at its end. */
  public void add(byte[] bytes) {
    waiting.writeBytes(bytes);
    if (waiting.size() >= MOST_WAITING) {
      flush();
    }
  }

  /** Hands what waits to the system. */
  public void flush() {
    try {
      to.write(MemorySegment.ofArray(waiting.toByteArray()));
    } catch (IOException e) {
      throw DataException.unwritable(subject, file, e);
    }
    written += waiting.size();
    waiting.reset();
  }

  /** Returns when all that was added is on the disk, with the length of the file. */
  public long force() {
    flush();
    try {
      to.force();
    } catch (IOException e) {
      throw DataException.unwritable(subject, file, e);
    }
    return written;
  }

  /** Hands over what waits, and closes the file. */
  @Override
  public void close() {
    try (to) {
      flush();
    } catch (IOException e) {
      throw DataException.unwritable(subject, file, e);
    }
  }
}
