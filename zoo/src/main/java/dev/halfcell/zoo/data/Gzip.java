package dev.halfcell.zoo.data;

import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.zip.GZIPInputStream;

/** Unpacks a gzip file strictly: whole, with nothing behind it, and to no more than a limit. */
final class Gzip extends GZIPInputStream {
  private static final int TRAILER_BYTES = 8;

  // The buffer takes the whole file, so that what is left in it is all that is left.
  private Gzip(byte[] file) throws IOException {
    super(new ByteArrayInputStream(file), file.length);
  }

  /** Whether these are the bytes of a gzip file. */
  static boolean isGzip(byte[] file) {
    return file.length >= 2 && (file[0] & 0xFF) == 0x1F && (file[1] & 0xFF) == 0x8B;
  }

  /** The content of a gzip file; {@code where} it lies is for messages. */
  static byte[] unpack(byte[] file, String where, int limit) {
    try (Gzip gzip = new Gzip(file)) {
      byte[] content = gzip.readNBytes(limit);
      require(gzip.read() < 0, where, "at most " + limit + " bytes unpacked", "more");
      int behind = gzip.inf.getRemaining() - TRAILER_BYTES;
      require(behind == 0, where, "the end of the file", behind + " bytes behind the gzip data");
      return content;
    } catch (EOFException cut) {
      throw new DataException(problem(where, "a whole gzip file", "a truncated one"), cut);
    } catch (IOException damaged) {
      String got = "a damaged one (" + damaged.getMessage() + ")";
      throw new DataException(problem(where, "a whole gzip file", got), damaged);
    }
  }

  private static void require(boolean holds, String where, String expected, String got) {
    if (!holds) {
      throw new DataException(problem(where, expected, got));
    }
  }

  private static Problem problem(String where, String expected, String got) {
    return new Problem("gzip file", where, expected, got, "Get the file again.");
  }
}
