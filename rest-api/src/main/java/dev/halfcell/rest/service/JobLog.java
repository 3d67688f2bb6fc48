package dev.halfcell.rest.service;

import dev.halfcell.rest.service.LogPieces.Piece;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * What the workers of a job printed, as it is kept. One that is not there yet is empty. Places in
 * it are those of the whole log, also where its middle was cut out.
 */
public record JobLog(Path file) {
  private static final int BLOCK = 1 << 16;

  /**
   * Some bytes.
   *
   * @param from the place of the first; what lies between it and what was asked for is cut out
   * @param bytes control characters are blanks; none at the end
   */
  public record Block(long from, byte[] bytes) {
    /** The place behind the last. */
    public long end() {
      return from + bytes.length;
    }
  }

  /** Where it ends now. */
  public long length() {
    List<Piece> pieces = pieces();
    return pieces.isEmpty() ? 0 : pieces.getLast().end();
  }

  private List<Piece> pieces() {
    try {
      return new LogPieces(file).all();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** At most a block of bytes from a place on. */
  public Block read(long from, long to) {
    for (Piece piece : pieces()) {
      long at = Math.max(from, piece.from());
      if (at < piece.end() && at < to) {
        byte[] bytes = read(piece, at, to);
        if (bytes.length > 0) {
          return new Block(at, bytes);
        }
      }
    }
    return new Block(from, new byte[0]);
  }

  /** None where the piece was deleted meanwhile. */
  private static byte[] read(Piece piece, long from, long to) {
    int length = Math.clamp(Math.min(to, piece.end()) - from, 0, BLOCK);
    ByteBuffer bytes = ByteBuffer.allocate(length);
    try (FileChannel in = FileChannel.open(piece.file())) {
      long at = from - piece.from();
      while (bytes.hasRemaining()) {
        int read = in.read(bytes, at);
        if (read < 0) {
          break;
        }
        at += read;
      }
    } catch (NoSuchFileException _) {
      return new byte[0];
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return plain(Arrays.copyOf(bytes.array(), bytes.position()));
  }

  /** Bytes of UTF-8 above the control characters are as they were: places stay the same. */
  private static byte[] plain(byte[] bytes) {
    for (int i = 0; i < bytes.length; i++) {
      boolean control = (bytes[i] >= 0 && bytes[i] < ' ') || bytes[i] == 0x7f;
      if (control && bytes[i] != '\n' && bytes[i] != '\t') {
        bytes[i] = ' ';
      }
    }
    return bytes;
  }

  /** Where the last lines begin. */
  public long startOfLast(int lines, long length) {
    if (lines == 0) {
      return length;
    }
    int left = lines;
    for (Piece piece : pieces().reversed()) {
      long end = Math.min(piece.end(), length);
      while (end > piece.from()) {
        long from = Math.max(piece.from(), end - BLOCK);
        byte[] block = read(piece, from, end);
        for (int i = block.length - 1; i >= 0; i--) {
          // The newline at the very end closes the last line and begins none.
          if (block[i] == '\n' && from + i != length - 1) {
            left--;
            if (left == 0) {
              return from + i + 1;
            }
          }
        }
        end = from;
      }
    }
    return 0;
  }

  /** The line that stands where some of it was cut out. */
  public static String cut(long bytes) {
    return "--- "
        + bytes
        + " bytes were cut out here: of a log its beginning and its newest lines are kept ---";
  }
}
