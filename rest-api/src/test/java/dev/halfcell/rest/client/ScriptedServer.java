package dev.halfcell.rest.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A server that sends what a script says, byte by byte, and closes the connection where the script
 * ends. Each connection has one request.
 */
final class ScriptedServer implements AutoCloseable {
  /** One request; the names of headers are in lower case. */
  record Request(String method, String path, Map<String, String> headers, String body) {
    String header(String name) {
      return headers.getOrDefault(name, "");
    }
  }

  /** What becomes of a request. */
  interface Script {
    void answer(Request request, OutputStream out) throws IOException, InterruptedException;
  }

  private final ServerSocket socket;
  private final List<Request> requests = new CopyOnWriteArrayList<>();

  ScriptedServer(Script script) {
    try {
      socket = new ServerSocket(0, 1000, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(() -> accept(script));
  }

  ClientSettings settings() {
    return ClientSettings.at("http://127.0.0.1:" + socket.getLocalPort());
  }

  /** A client that gives up soon. */
  HalfCellClient client(Duration patience) {
    return new HalfCellClient(
        settings().withPatience(patience).withTimes(Duration.ofSeconds(5), Duration.ofMillis(500)));
  }

  HalfCellClient client() {
    return client(Duration.ofSeconds(5));
  }

  List<Request> requests() {
    return requests;
  }

  private void accept(Script script) {
    while (!socket.isClosed()) {
      try {
        Socket connection = socket.accept();
        Thread.ofVirtual().start(() -> serve(connection, script));
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private void serve(Socket connection, Script script) {
    try (connection) {
      Request request = read(connection.getInputStream());
      requests.add(request);
      script.answer(request, connection.getOutputStream());
      connection.getOutputStream().flush();
    } catch (IOException | InterruptedException e) {
      // The client has gone, as some tests want it to.
      Thread.currentThread().interrupt();
    }
  }

  private static Request read(InputStream in) throws IOException {
    String[] first = line(in).split(" ");
    Map<String, String> headers = new LinkedHashMap<>();
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      int colon = line.indexOf(':');
      headers.put(line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 2));
    }
    int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
    String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
    return new Request(first[0], first[1], headers, body);
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new IOException("no request");
      }
      line.append((char) c);
    }
    return line.toString().stripTrailing();
  }

  /** A whole answer. */
  static byte[] answer(int status, String type, byte[] body, String... headers) {
    StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " Said\r\n");
    for (String header : headers) {
      head.append(header).append("\r\n");
    }
    head.append("Content-Type: " + type + "\r\nContent-Length: " + body.length + "\r\n\r\n");
    byte[] first = head.toString().getBytes(StandardCharsets.UTF_8);
    byte[] all = Arrays.copyOf(first, first.length + body.length);
    System.arraycopy(body, 0, all, first.length, body.length);
    return all;
  }

  static byte[] json(int status, String body, String... headers) {
    return answer(status, "application/json", body.getBytes(StandardCharsets.UTF_8), headers);
  }

  static byte[] problem(int status, String title, String detail, String... headers) {
    String body =
        """
        {"type":"/docs#problem-x","title":"%s","status":%d,"detail":"%s","instance":"/v1"}"""
            .formatted(title, status, detail);
    return answer(
        status, "application/problem+json", body.getBytes(StandardCharsets.UTF_8), headers);
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
