package dev.halfcell.rest.http;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * A file of lines that begins anew when it is long: {@code NAME.1} is the one before. One thread.
 */
final class RotatingFile {
  static final long USUAL_BYTES = 16L << 20;

  private static final System.Logger LOG = System.getLogger("dev.halfcell.rest.access");
  private static final int KEPT = 3;

  private final Path file;
  private final long most;
  private Optional<FileChannel> out = Optional.empty();
  private long length;
  private boolean broken;

  RotatingFile(Path file, long most) {
    this.file = file;
    this.most = most;
  }

  /**
   * Writes a line or several; where the disk cannot be written, they are lost, which is said once.
   */
  void write(String lines) {
    ByteBuffer bytes = ByteBuffer.wrap((lines + "\n").getBytes(StandardCharsets.UTF_8));
    try {
      FileChannel to = opened(bytes.remaining());
      while (bytes.hasRemaining()) {
        length += to.write(bytes);
      }
      broken = false;
    } catch (IOException e) {
      if (!broken) {
        LOG.log(Level.WARNING, "requests cannot be logged", e);
      }
      broken = true;
    }
  }

  private FileChannel opened(int more) throws IOException {
    if (out.isPresent() && length > 0 && length + more > most) {
      out.get().close();
      out = Optional.empty();
      rotate();
    }
    if (out.isEmpty()) {
      out =
          Optional.of(FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND));
      length = out.get().size();
    }
    return out.get();
  }

  private void rotate() throws IOException {
    for (int i = KEPT; i > 0; i--) {
      Path newer = i == 1 ? file : numbered(i - 1);
      if (Files.exists(newer)) {
        Files.move(newer, numbered(i), StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  private Path numbered(int number) {
    return file.resolveSibling(file.getFileName() + "." + number);
  }
}
