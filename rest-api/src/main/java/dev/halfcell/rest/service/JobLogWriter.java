package dev.halfcell.rest.service;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Writes a job's log, behind what earlier attempts wrote. Its first piece and its newest ones are
 * kept: how a training was started and how it ended. One thread.
 */
public final class JobLogWriter implements AutoCloseable {
  /** 64 MiB in all. */
  public static final Bounds USUAL = new Bounds(8 << 20, 8);

  private final LogPieces pieces;
  private final Bounds bounds;
  private FileChannel piece;
  private long from;
  private long length;

  /**
   * How much is kept.
   *
   * @param pieceBytes of a piece; no line is longer
   * @param pieces how many, at least 2
   */
  public record Bounds(int pieceBytes, int pieces) {}

  private JobLogWriter(LogPieces pieces, Bounds bounds, long from) throws IOException {
    this.pieces = pieces;
    this.bounds = bounds;
    this.from = from;
    this.piece = opened();
    this.length = piece.size();
  }

  /** That of a log, whose folder is there. */
  public static JobLogWriter open(Path file, Bounds bounds) throws IOException {
    LogPieces pieces = new LogPieces(file);
    List<LogPieces.Piece> there = pieces.all();
    JobLogWriter writer =
        new JobLogWriter(pieces, bounds, there.isEmpty() ? 0 : there.getLast().from());
    writer.endBrokenLine();
    return writer;
  }

  private FileChannel opened() throws IOException {
    return FileChannel.open(
        pieces.file(from), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /** A server that was killed may have written half of one. */
  private void endBrokenLine() throws IOException {
    if (length > 0) {
      ByteBuffer last = ByteBuffer.allocate(1);
      try (FileChannel in = FileChannel.open(pieces.file(from))) {
        in.read(last, length - 1);
      }
      if (last.get(0) != '\n') {
        write(ByteBuffer.wrap(new byte[] {'\n'}));
      }
    }
  }

  /** Writes lines, each of which has its end. */
  public void write(String lines) throws IOException {
    int begin = 0;
    while (begin < lines.length()) {
      int end = lines.indexOf('\n', begin) + 1;
      write(ByteBuffer.wrap(lines.substring(begin, end).getBytes(StandardCharsets.UTF_8)));
      begin = end;
    }
  }

  private void write(ByteBuffer line) throws IOException {
    if (length > 0 && length + line.remaining() > bounds.pieceBytes()) {
      next();
    }
    while (line.hasRemaining()) {
      length += piece.write(line);
    }
  }

  private void next() throws IOException {
    piece.close();
    from += length;
    length = 0;
    piece = opened();
    List<LogPieces.Piece> there = pieces.all();
    // The first one says how the job was started.
    for (int i = 1; i <= there.size() - bounds.pieces(); i++) {
      Files.deleteIfExists(there.get(i).file());
    }
  }

  @Override
  public void close() throws IOException {
    piece.close();
  }
}
