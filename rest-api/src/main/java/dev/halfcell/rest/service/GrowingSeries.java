package dev.halfcell.rest.service;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The series of a run that may go on: what was read is not read again, unless the file is another
 * one by now. A run that goes on from a checkpoint takes back what it had written behind that.
 * Threads may share it.
 */
final class GrowingSeries {
  /** So much of what was read last is looked at: a line has a time in it, and is like no other. */
  private static final int KNOWN_BY = 256;

  private final int most;
  private SeriesReading reading;
  private long behind;
  private byte[] end = new byte[0];

  /**
   * One that nothing was read of yet.
   *
   * @param most at most so many points, at least 2
   */
  GrowingSeries(int most) {
    this.most = most;
    this.reading = new SeriesReading(0, Long.MAX_VALUE, most);
  }

  /** All that is in the file now; of no steps where there is none. */
  synchronized Series read(Path metrics) {
    try (SeekableByteChannel file = Files.newByteChannel(metrics)) {
      if (!Arrays.equals(end, before(file, behind))) {
        forget();
      }
      more(file);
      return reading.series();
    } catch (NoSuchFileException _) {
      forget();
      return reading.series();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void more(SeekableByteChannel file) throws IOException {
    boolean whole = false;
    try {
      behind = StepRows.read(file, behind, reading::add);
      whole = true;
    } finally {
      if (!whole) {
        forget(); // some of it is in the series already
      }
    }
    end = before(file, behind);
  }

  private void forget() {
    reading = new SeriesReading(0, Long.MAX_VALUE, most);
    behind = 0;
    end = new byte[0];
  }

  /** The bytes before a place; none where the file is shorter. */
  private static byte[] before(SeekableByteChannel file, long place) throws IOException {
    if (file.size() < place) {
      return new byte[0];
    }
    ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(KNOWN_BY, place));
    StepRows.fill(bytes, file, place - bytes.capacity());
    return Arrays.copyOf(bytes.array(), bytes.position());
  }
}
