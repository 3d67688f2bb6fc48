package dev.halfcell.rest.store;

import dev.halfcell.tensor.Problem;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.zip.CRC32C;

/**
 * How often a database was committed, in a file beside it. It is written after each commit and not
 * synced, for it may be behind: it is there to notice that the database is.
 */
final class CommitMark implements AutoCloseable {
  private static final Logger LOG = System.getLogger(CommitMark.class.getName());
  private static final int LENGTH = Long.BYTES + Integer.BYTES;

  private final RandomAccessFile file; // no channel: an interrupt of a caller would close it

  private CommitMark(RandomAccessFile file) {
    this.file = file;
  }

  static Path beside(Path database) {
    return database.resolveSibling(database.getFileName() + "-commits");
  }

  /** What the file says; nothing where there is none, or where its own checksum is wrong. */
  static OptionalLong read(Path database) {
    Path mark = beside(database);
    try {
      if (!Files.exists(mark)) {
        return OptionalLong.empty();
      }
      byte[] bytes = Files.readAllBytes(mark);
      if (bytes.length != LENGTH) {
        return OptionalLong.empty();
      }
      ByteBuffer read = ByteBuffer.wrap(bytes);
      long number = read.getLong();
      return read.getInt() == checksum(bytes) ? OptionalLong.of(number) : OptionalLong.empty();
    } catch (IOException e) {
      throw unusable(mark, e);
    }
  }

  static CommitMark open(Path database) {
    Path mark = beside(database);
    try {
      return new CommitMark(new RandomAccessFile(mark.toFile(), "rw"));
    } catch (IOException e) {
      throw unusable(mark, e);
    }
  }

  /** The commit has happened whatever becomes of this, so a failure is no failure of the caller. */
  void write(long number) {
    byte[] bytes = new byte[LENGTH];
    ByteBuffer.wrap(bytes).putLong(number);
    ByteBuffer.wrap(bytes).putInt(Long.BYTES, checksum(bytes));
    try {
      file.seek(0);
      file.write(bytes);
    } catch (IOException e) {
      LOG.log(Level.WARNING, "cannot note that commit " + number + " was made", e);
    }
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      LOG.log(Level.WARNING, "cannot close the file of commits", e);
    }
  }

  private static int checksum(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, Long.BYTES);
    return (int) crc.getValue();
  }

  private static StoreException unusable(Path mark, IOException e) {
    return new StoreException(
        new Problem(
            "job store",
            mark.toString(),
            "a file that can be read and written",
            String.valueOf(e.getMessage()),
            "Check its owner and its permissions."),
        e);
  }
}
