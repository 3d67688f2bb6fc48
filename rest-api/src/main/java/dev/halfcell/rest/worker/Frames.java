package dev.halfcell.rest.worker;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Optional;

/** Cuts a stream of bytes into frames: a length of four bytes, and what it counts. */
public final class Frames {
  /** The most bytes of a frame, its length left out. */
  public static final int MOST = 1 << 20;

  private Frames() {}

  /**
   * The next one; none where the other side is gone, in the middle of a frame too: who is killed
   * while it writes has broken nothing.
   *
   * @param most the most bytes that it may have
   */
  static Optional<byte[]> read(ReadableByteChannel from, int most)
      throws IOException, ProtocolException {
    ByteBuffer head = ByteBuffer.allocate(Integer.BYTES);
    if (!fills(from, head)) {
      return Optional.empty();
    }
    int length = head.flip().getInt();
    if (length < 1 || length > most) {
      throw new ProtocolException("a frame of 1 to " + most + " bytes was due, got " + length);
    }
    ByteBuffer body = ByteBuffer.allocate(length);
    return fills(from, body) ? Optional.of(body.array()) : Optional.empty();
  }

  private static boolean fills(ReadableByteChannel from, ByteBuffer to) throws IOException {
    while (to.hasRemaining()) {
      if (from.read(to) < 0) {
        return false;
      }
    }
    return true;
  }

  /** Writes one. */
  static void write(WritableByteChannel to, byte[] body) throws IOException {
    if (body.length < 1 || body.length > MOST) {
      throw new IllegalArgumentException("a frame has 1 to " + MOST + " bytes, not " + body.length);
    }
    ByteBuffer frame = ByteBuffer.allocate(Integer.BYTES + body.length);
    frame.putInt(body.length).put(body).flip();
    while (frame.hasRemaining()) {
      to.write(frame);
    }
  }
}
