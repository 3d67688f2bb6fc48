package dev.halfcell.load;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;

/** One reader of a job's events. One thread. */
final class StreamReader {
  private static final int LONGEST_LINE = 64 << 10;
  private static final String AT = "\"at\":\"";

  private final SocketChannel channel;
  private final Latencies delays;
  private final Instant openedAt = Instant.now();
  private final byte[] line = new byte[LONGEST_LINE];
  private int length;
  private long last;
  private long missed;
  private boolean ended;
  private boolean closed;
  private String refused = "";

  private StreamReader(SocketChannel channel, long after, Latencies delays) {
    this.channel = channel;
    this.last = after;
    this.delays = delays;
  }

  /**
   * Connects and asks for the events behind a number.
   *
   * @param delays between when an event happened and when it was read
   */
  static StreamReader open(int port, String job, long after, Latencies delays) throws IOException {
    SocketChannel channel =
        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    ask(channel, job, after);
    channel.configureBlocking(false);
    return new StreamReader(channel, after, delays);
  }

  /** Asks for a stream on a connection. */
  static void ask(SocketChannel channel, String job, long after) throws IOException {
    String request =
        "GET /v1/jobs/%s/events HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nLast-Event-ID: %d\r\n\r\n"
            .formatted(job, after);
    channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.UTF_8)));
  }

  SocketChannel channel() {
    return channel;
  }

  /** The number of the last event that came. */
  long last() {
    return last;
  }

  /** How many numbers were left out, or came again. */
  long missed() {
    return missed;
  }

  /** Whether the server said that the job is over. */
  boolean ended() {
    return ended;
  }

  boolean closed() {
    return closed;
  }

  /** The first line of an answer that was no stream. */
  String refused() {
    return refused;
  }

  /** Takes what has come; the buffer is anybody's. */
  void read(ByteBuffer buffer) {
    try {
      int read = 0;
      while (!ended && (read = channel.read(buffer.clear())) > 0) {
        take(buffer.flip());
      }
      closed = ended || read < 0;
    } catch (IOException e) {
      closed = true; // in the midst of it: ended says no
    }
  }

  private void take(ByteBuffer bytes) {
    while (bytes.hasRemaining()) {
      byte next = bytes.get();
      if (next == '\n') {
        int end = length > 0 && line[length - 1] == '\r' ? length - 1 : length;
        line(new String(line, 0, end, StandardCharsets.UTF_8));
        length = 0;
      } else {
        line[length++] = next;
      }
    }
  }

  /** Lines that are none of an event are sizes of chunks and comments. */
  private void line(String text) {
    if (text.startsWith("id: ")) {
      long number = Long.parseLong(text.substring(4));
      missed += Math.abs(number - last - 1);
      last = number;
    } else if (text.startsWith("data: ") && text.contains(AT)) {
      int from = text.indexOf(AT) + AT.length();
      Instant at = Instant.parse(text.substring(from, text.indexOf('"', from)));
      if (at.isAfter(openedAt)) {
        delays.add(Duration.between(at, Instant.now()).toNanos());
      }
    } else if (text.equals("event: end")) {
      ended = true;
    } else if (text.startsWith("HTTP/1.1 ") && !text.startsWith("HTTP/1.1 200")) {
      refused = text;
    }
  }

  void close() throws IOException {
    channel.close();
  }
}
