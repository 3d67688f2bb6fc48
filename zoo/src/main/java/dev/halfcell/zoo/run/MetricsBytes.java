package dev.halfcell.zoo.run;

import dev.halfcell.disk.Disk;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The first bytes of a {@link MetricsFile}, read as they are asked for: those of a long run do not
 * fit in the heap. What the disk refuses is a {@link DataException}. One thread.
 */
final class MetricsBytes extends InputStream {
  private static final int BLOCK = 1 << 16;

  private final Path file;
  private final Optional<Disk.Input> from;
  private final long length;
  private long done;

  private MetricsBytes(Path file, Optional<Disk.Input> from, long length) {
    this.file = file;
    this.from = from;
    this.length = length;
  }

  /**
   * Opens so many of them. Where they are none the file need not be there.
   *
   * @throws DataException where it has fewer: a checkpoint is of a time when it had them
   */
  static MetricsBytes open(Disk disk, Path file, long length) {
    if (length == 0) {
      return new MetricsBytes(file, Optional.empty(), 0);
    }
    try {
      Disk.Input from = disk.open(file);
      try {
        requireLength(file, length, from.size());
        return new MetricsBytes(file, Optional.of(from), length);
      } catch (IOException | RuntimeException e) {
        from.close();
        throw e;
      }
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  private static void requireLength(Path file, long length, long there) {
    if (there < length) {
      throw refusal(file, "at least " + length + " bytes", there + " bytes", null);
    }
  }

  @Override
  public int read() {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
  }

  @Override
  public int read(byte[] to, int offset, int count) {
    int wanted = (int) Math.min(count, length - done);
    if (wanted == 0) {
      return count == 0 ? 0 : -1;
    }
    MemorySegment part = MemorySegment.ofArray(to).asSlice(offset, wanted);
    try {
      long read = from.orElseThrow().read(done, part);
      if (read < wanted) { // the file has become shorter since it was opened
        requireLength(file, length, done + read);
      }
    } catch (IOException e) {
      throw unreadable(file, e);
    }
    done += wanted;
    return wanted;
  }

  /** Writes all of them. */
  void copyTo(Disk.Output to) throws IOException {
    byte[] block = new byte[BLOCK];
    for (int count = read(block, 0, BLOCK); count > 0; count = read(block, 0, BLOCK)) {
      to.write(MemorySegment.ofArray(block).asSlice(0, count));
    }
  }

  @Override
  public void close() {
    try {
      if (from.isPresent()) {
        from.get().close();
      }
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  private static DataException unreadable(Path file, IOException cause) {
    return refusal(file, "a file that can be read", cause.toString(), cause);
  }

  /** That a file is not what the run has written. */
  static DataException refusal(Path file, String expected, String got, @Nullable Exception cause) {
    Problem problem =
        new Problem("metrics", file.toString(), expected, got, "Resume an unchanged run.");
    return cause == null ? new DataException(problem) : new DataException(problem, cause);
  }
}
