package dev.halfcell.rest.service;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** What the workers of a job printed, as it is in its file. One that is not there yet is empty. */
public record JobLog(Path file) {
  private static final int BLOCK = 1 << 16;

  /** How many bytes there are now. */
  public long length() {
    try (FileChannel in = FileChannel.open(file)) {
      return in.size();
    } catch (NoSuchFileException _) {
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** At most a block of bytes from a place on; none at the end. Control characters are blanks. */
  public byte[] read(long from, long to) {
    int length = (int) Math.clamp(to - from, 0, BLOCK);
    ByteBuffer bytes = ByteBuffer.allocate(length);
    try (FileChannel in = FileChannel.open(file)) {
      long at = from;
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
    byte[] read = new byte[bytes.position()];
    bytes.flip().get(read);
    return plain(read);
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
    long end = length;
    int left = lines;
    // The newline at the very end closes the last line and begins none.
    boolean first = true;
    while (end > 0) {
      long from = Math.max(0, end - BLOCK);
      byte[] block = read(from, end);
      for (int i = block.length - 1; i >= 0; i--) {
        if (block[i] == '\n' && !(first && from + i == length - 1)) {
          left--;
          if (left == 0) {
            return from + i + 1;
          }
        }
      }
      first = false;
      end = from;
    }
    return 0;
  }
}
