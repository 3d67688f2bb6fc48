package dev.halfcell.zoo.data;

import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * Unpacks a gzip file strictly, as it is read: whole, with nothing behind it, and to no more than a
 * limit.
 */
final class Gzip extends GZIPInputStream {
  private static final int BUFFER = 1 << 16;
  private static final int TRAILER_BYTES = 8;

  private final Counted file;
  private final String where;
  private final long limit;
  private long filled;
  private long unpacked;

  private Gzip(Counted file, String where, long limit) throws IOException {
    super(file, BUFFER);
    this.file = file;
    this.where = where;
    this.limit = limit;
  }

  /**
   * What a file holds, unpacked where its first two bytes are those of a gzip file.
   *
   * @param where it lies, for messages
   * @param limit the most bytes that it may be unpacked to
   */
  static InputStream content(InputStream file, String where, long limit) throws IOException {
    InputStream bytes = new BufferedInputStream(file, BUFFER);
    bytes.mark(2);
    boolean packed = bytes.read() == 0x1F && bytes.read() == 0x8B;
    bytes.reset();
    try {
      return packed ? new Gzip(new Counted(bytes), where, limit) : bytes;
    } catch (EOFException | ZipException damaged) {
      throw refusal(damaged, where);
    }
  }

  @Override
  public int read(byte[] to, int from, int length) throws IOException {
    try {
      int count = super.read(to, from, length);
      unpacked += Math.max(0, count);
      require(unpacked <= limit, where, "at most " + limit + " bytes unpacked", "more");
      if (count < 0) {
        requireEnd();
      }
      return count;
    } catch (EOFException | ZipException damaged) {
      throw refusal(damaged, where);
    }
  }

  @Override
  protected void fill() throws IOException {
    super.fill();
    filled = file.count;
  }

  /** Behind the data are the trailer, what else is in the buffer, and what did not get there. */
  private void requireEnd() throws IOException {
    file.transferTo(OutputStream.nullOutputStream());
    long behind = file.count - filled + inf.getRemaining() - TRAILER_BYTES;
    require(behind == 0, where, "the end of the file", behind + " bytes behind the gzip data");
  }

  private static DataException refusal(IOException damaged, String where) {
    String got =
        damaged instanceof EOFException
            ? "a truncated one"
            : "a damaged one (" + damaged.getMessage() + ")";
    return new DataException(problem(where, "a whole gzip file", got), damaged);
  }

  private static void require(boolean holds, String where, String expected, String got) {
    if (!holds) {
      throw new DataException(problem(where, expected, got));
    }
  }

  private static Problem problem(String where, String expected, String got) {
    return new Problem("gzip file", where, expected, got, "Get the file again.");
  }

  /** A stream that knows how many bytes were read from it. */
  private static final class Counted extends FilterInputStream {
    private long count;

    Counted(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int one = super.read();
      count += one < 0 ? 0 : 1;
      return one;
    }

    @Override
    public int read(byte[] to, int from, int length) throws IOException {
      int got = super.read(to, from, length);
      count += Math.max(0, got);
      return got;
    }
  }
}
