package dev.halfcell.load;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;

/** A client that takes its time with a request or its answer. One thread. */
final class SlowConnection {
  private static final int WINDOW = 1024;

  private final Kind kind;
  private final SocketChannel channel;
  private final long openedAt = System.nanoTime();
  private OptionalLong closedAt = OptionalLong.empty();
  private int sent;

  /** What it is slow with, as in slowhttptest. */
  enum Kind {
    /** -H: header after header, and never the end of the head. */
    HEAD("GET /v1/jobs HTTP/1.1\r\nHost: localhost\r\n", "X-%d: slow\r\n"),
    /** -B: a body that was announced and comes byte by byte. */
    BODY(
        "POST /v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            + "Content-Length: 4096\r\n\r\n{",
        " "),
    /** -X: an answer that is asked for again and again, and not read. */
    READ("GET /openapi.yaml HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(3), "");

    private final String begin;
    private final String more;

    Kind(String begin, String more) {
      this.begin = begin;
      this.more = more;
    }
  }

  private SlowConnection(Kind kind, SocketChannel channel) {
    this.kind = kind;
    this.channel = channel;
  }

  static SlowConnection open(Kind kind, int port) throws IOException {
    SocketChannel channel = SocketChannel.open();
    channel.setOption(StandardSocketOptions.SO_RCVBUF, WINDOW);
    channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    channel.write(bytes(kind.begin));
    channel.configureBlocking(false);
    return new SlowConnection(kind, channel);
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Sends or reads a little; what it is answered counts for nothing until the connection ends. */
  void goOn() {
    if (closed()) {
      return;
    }
    try {
      if (!kind.more.isEmpty()) {
        channel.write(bytes(kind.more.formatted(sent++)));
      }
      ByteBuffer little = ByteBuffer.allocate(kind == Kind.READ ? 32 : WINDOW);
      if (channel.read(little) < 0) {
        closedAt = OptionalLong.of(System.nanoTime());
      }
    } catch (IOException e) {
      closedAt = OptionalLong.of(System.nanoTime()); // reset by the server
    }
  }

  boolean closed() {
    return closedAt.isPresent();
  }

  /** How long it was open, until now where it still is. */
  double seconds() {
    return (closedAt.orElse(System.nanoTime()) - openedAt) / 1e9;
  }

  void close() throws IOException {
    channel.close();
  }
}
