package dev.halfcell.rest.fuzz;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Sends bytes as they are, and reads what is answered: no client of repute would send them. */
final class RawClient implements AutoCloseable {
  private static final int PATIENCE_MILLISECONDS = 8_000;
  private static final int ENDLESS_MILLISECONDS = 300;
  private static final int LONGEST_LINE = 100_000;

  private final int port;
  private Optional<Connection> kept = Optional.empty();

  private record Connection(Socket socket, InputStream in) {
    static Connection open(int port) throws IOException {
      Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(PATIENCE_MILLISECONDS);
      return new Connection(socket, new BufferedInputStream(socket.getInputStream()));
    }
  }

  RawClient(int port) {
    this.port = port;
  }

  /** Sends on the connection that is kept, if it is. */
  Reply send(Ask ask) throws IOException {
    long began = System.nanoTime();
    Connection connection = kept.isPresent() ? kept.get() : Connection.open(port);
    kept = Optional.empty();
    try {
      write(connection, ask.bytes());
      Reply reply = read(connection, ask, began);
      boolean over =
          ask.endless() || reply.header("Connection").filter("close"::equalsIgnoreCase).isPresent();
      kept = over ? Optional.empty() : Optional.of(connection);
      return reply;
    } catch (SocketTimeoutException | EOFException none) {
      return Reply.none(since(began));
    } finally {
      if (kept.isEmpty()) {
        connection.socket().close();
      }
    }
  }

  /** Who refuses a large request may close before all of it is written; its answer is there. */
  private static void write(Connection connection, byte[] bytes) {
    try {
      connection.socket().getOutputStream().write(bytes);
    } catch (IOException closed) {
      // What follows reads the answer, or finds that there is none.
    }
  }

  private static Duration since(long began) {
    return Duration.ofNanos(System.nanoTime() - began);
  }

  private static Reply read(Connection connection, Ask ask, long began) throws IOException {
    InputStream in = connection.in();
    int status;
    Map<String, List<String>> headers;
    do {
      String line = line(in);
      if (!line.matches("HTTP/1\\.[01] \\d{3} .*")) {
        throw new EOFException(line);
      }
      status = Integer.parseInt(line.substring(9, 12));
      headers = headers(in);
    } while (status < 200);
    boolean bodiless = ask.method().equals("HEAD") || status == 204 || status == 304;
    byte[] body = new byte[0];
    if (ask.endless() && !bodiless && headers.containsKey("transfer-encoding")) {
      connection.socket().setSoTimeout(ENDLESS_MILLISECONDS);
      body = begin(in);
    } else if (!bodiless) {
      body = body(in, headers);
    }
    return new Reply(status, headers, body, since(began));
  }

  private static Map<String, List<String>> headers(InputStream in) throws IOException {
    Map<String, List<String>> headers = new HashMap<>();
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      int colon = line.indexOf(':');
      String name = line.substring(0, Math.max(0, colon)).toLowerCase(Locale.ROOT);
      headers.computeIfAbsent(name, _ -> new ArrayList<>()).add(line.substring(colon + 1).strip());
    }
    return headers;
  }

  private static byte[] body(InputStream in, Map<String, List<String>> headers) throws IOException {
    if (headers.containsKey("content-length")) {
      return exactly(in, Integer.parseInt(headers.get("content-length").getFirst()));
    }
    if (!headers.containsKey("transfer-encoding")) {
      return new byte[0];
    }
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    byte[] chunk;
    do {
      chunk = chunk(in);
      whole.writeBytes(chunk);
    } while (chunk.length > 0);
    return whole.toByteArray();
  }

  /** The first part of what goes on; nothing may have come yet. */
  private static byte[] begin(InputStream in) throws IOException {
    try {
      return chunk(in);
    } catch (SocketTimeoutException nothingYet) {
      return new byte[0];
    }
  }

  private static byte[] chunk(InputStream in) throws IOException {
    int size = Integer.parseInt(line(in), 16);
    byte[] chunk = exactly(in, size);
    line(in);
    return chunk;
  }

  private static byte[] exactly(InputStream in, int count) throws IOException {
    byte[] bytes = in.readNBytes(count);
    if (bytes.length < count) {
      throw new EOFException("a body of " + bytes.length + " bytes of " + count);
    }
    return bytes;
  }

  private static String line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0 || line.size() > LONGEST_LINE) {
        throw new EOFException("in the middle of a line");
      }
      if (c != '\r') {
        line.write(c);
      }
    }
    return line.toString(StandardCharsets.ISO_8859_1);
  }

  @Override
  public void close() throws IOException {
    if (kept.isPresent()) {
      kept.get().socket().close();
    }
  }
}
