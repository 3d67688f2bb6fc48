package dev.halfcell.load;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One connection to the server that is kept for many requests: as small a client as can be, for it
 * takes its time from the server that it measures. One thread.
 */
final class KeptConnection implements AutoCloseable {
  private static final int PATIENCE_MILLISECONDS = 70_000;
  private static final Pattern LENGTH = Pattern.compile("\r\ncontent-length: (\\d+)\r\n");

  private final Socket socket;
  private byte[] buffer = new byte[16 << 10];
  private int filled;

  /**
   * An answer.
   *
   * @param head its lines in lower case
   */
  record Answer(int status, String head, String body) {}

  KeptConnection(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(PATIENCE_MILLISECONDS);
  }

  /** The bytes of a request without a body. */
  static byte[] request(String method, String path) {
    return bytes(method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
  }

  /** The bytes of a request with a body of JSON; more headers each end in a line break. */
  static byte[] request(String method, String path, String headers, String json) {
    return bytes(
        method
            + " "
            + path
            + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
            + json.getBytes(StandardCharsets.UTF_8).length
            + "\r\n"
            + headers
            + "\r\n"
            + json);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Sends a request and reads all of its answer. */
  Answer send(byte[] request) throws IOException {
    socket.getOutputStream().write(request);
    filled = 0;
    int end = -1;
    while (end < 0) {
      int looked = Math.max(0, filled - 3);
      fill();
      end = endOfHead(looked);
    }
    String head = new String(buffer, 0, end, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
    Matcher length = LENGTH.matcher(head);
    int whole = end + (length.find() ? Integer.parseInt(length.group(1)) : 0);
    while (filled < whole) {
      fill();
    }
    return new Answer(
        Integer.parseInt(head.substring(9, 12)),
        head,
        new String(buffer, end, whole - end, StandardCharsets.UTF_8));
  }

  private void fill() throws IOException {
    if (filled == buffer.length) {
      buffer = Arrays.copyOf(buffer, filled * 2);
    }
    int read = socket.getInputStream().read(buffer, filled, buffer.length - filled);
    if (read < 0) {
      throw new EOFException("the connection was closed, " + filled + " bytes into an answer");
    }
    filled += read;
  }

  private int endOfHead(int from) {
    for (int i = from; i + 3 < filled; i++) {
      if (buffer[i] == '\r'
          && buffer[i + 1] == '\n'
          && buffer[i + 2] == '\r'
          && buffer[i + 3] == '\n') {
        return i + 4;
      }
    }
    return -1;
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (SocketException _) {
      // Closed by the other side, which is as good.
    } catch (IOException e) {
      throw new IllegalStateException("a socket cannot be closed", e);
    }
  }
}
