package dev.halfcell.rest.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What no client of repute sends. */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RawHttpTest {
  private static final String HOST = "Host: localhost\r\n";
  private static final String SMUGGLED = "GET /v1/smuggled HTTP/1.1\r\n" + HOST + "\r\n";

  private TestServer server;

  @BeforeAll
  void start(@TempDir Path root) {
    HttpServerSettings http = TestServer.http();
    server =
        TestServer.start(
            root,
            http.with(
                new HttpServerSettings.Deadlines(
                    Duration.ofMillis(700),
                    Duration.ofMillis(700),
                    Duration.ofSeconds(3),
                    Duration.ofSeconds(15),
                    Duration.ofSeconds(1))),
            Tokens.none());
  }

  @AfterAll
  void stop() {
    server.close();
  }

  /** All that is answered until the server closes. */
  private String closed(String request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(bytes(request));
      return rest(socket);
    }
  }

  /** Names of tests are printed: what no terminal shall get is written as a word. */
  private static byte[] bytes(String request) {
    return request
        .replace("<NUL>", "\u0000")
        .replace("<VT>", "\u000b")
        .replace("<E>", "\u00e9")
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String rest(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    StringBuilder read = new StringBuilder();
    byte[] block = new byte[8192];
    try {
      for (int n = in.read(block); n >= 0; n = in.read(block)) {
        read.append(new String(block, 0, n, StandardCharsets.ISO_8859_1));
      }
    } catch (SocketException reset) {
      // Closed while we still wrote: what was read is the answer.
    }
    return read.toString();
  }

  private static int status(String answer) {
    return answer.matches("(?s)HTTP/1\\.[01] .*") ? Integer.parseInt(answer.substring(9, 12)) : 0;
  }

  private static int answers(String text) {
    return text.split("HTTP/1\\.[01] \\d\\d\\d ", -1).length - 1;
  }

  private void assertRefused(int status, String request) throws IOException {
    String answer = closed(request);
    assertEquals(status, status(answer), () -> request + " -> " + answer);
    assertTrue(answer.contains("application/problem+json"), answer);
    assertEquals(1, answers(answer), answer);
    assertEquals(
        200, status(closed("GET /healthz HTTP/1.1\r\n" + HOST + "Connection: close\r\n\r\n")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: xchunked\r\n",
        "Transfer-Encoding: chunked, chunked\r\n",
        "Transfer-Encoding:<VT>chunked\r\n",
        "Content-Length: 5\r\nContent-Length: 6\r\n",
        "Content-Length: -5\r\n",
        "Content-Length: +5\r\n",
        "Content-Length: 0x5\r\n",
        "Content-Length : 5\r\n",
        "X<NUL>A: a\r\n",
        "X A: a\r\n",
        ": a\r\n",
        "X-A: a\rb\r\n",
        "X-A: a<NUL>b\r\n"
      })
  @Row({"P20", "P21"})
  void framingThatTwoReadersTakeDifferentlyIsRefused(String headers) throws IOException {
    assertRefused(
        400,
        "POST /v1/jobs HTTP/1.1\r\n"
            + HOST
            + "Content-Type: application/json\r\n"
            + headers
            + "\r\n0\r\n\r\n"
            + SMUGGLED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1\r\n", "fffffffffffffffff\r\n", "x\r\n", "5;" + "e=e" + "<NUL>\r\n"})
  @Row("P20")
  void chunksThatAreNoneAreRefused(String size) throws IOException {
    assertRefused(
        400,
        "POST /v1/jobs HTTP/1.1\r\n"
            + HOST
            + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
            + size
            + SMUGGLED);
  }

  @Test
  @Row("P20")
  void oldHttpWithChunksIsRefused() throws IOException {
    assertRefused(
        400, "POST /v1/jobs HTTP/1.0\r\n" + HOST + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
  }

  @Test
  @Row("P20")
  void bareLineFeedsAreRefused() throws IOException {
    assertRefused(400, "GET /healthz HTTP/1.1\nHost: localhost\n\n");
  }

  @Test
  @Row("P18")
  void bodiesAreBounded() throws IOException {
    String head = "POST /v1/jobs HTTP/1.1\r\n" + HOST + "Content-Type: application/json\r\n";
    int more = 256 * 1024 + 1;
    assertRefused(413, head + "Content-Length: " + more + "\r\n\r\n" + " ".repeat(more));
    assertRefused(413, head + "Content-Length: 10737418240\r\n\r\n");
    assertRefused(
        413,
        head
            + "Transfer-Encoding: chunked\r\n\r\n"
            + ("1000\r\n" + " ".repeat(4096) + "\r\n").repeat(65)
            + "0\r\n\r\n");
  }

  @Test
  @Row({"P21", "P22"})
  void headsAreBounded() throws IOException {
    assertRefused(414, "GET /" + "a".repeat(5000) + " HTTP/1.1\r\n" + HOST + "\r\n");
    assertRefused(431, "GET / HTTP/1.1\r\n" + HOST + "X-A: " + "a".repeat(9000) + "\r\n\r\n");
    assertRefused(431, "GET / HTTP/1.1\r\n" + HOST + "X-A: a\r\n".repeat(10_000) + "\r\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/%", "/%zz", "/%00", "http://evil/", "*", "/<E>", "/a#b", "evil.example:80"})
  @Row("P22")
  void addressesThatAreNoPathsAreRefused(String target) throws IOException {
    assertRefused(400, "GET " + target + " HTTP/1.1\r\n" + HOST + "Connection: close\r\n\r\n");
  }

  @Tag("CVE-2024-1483")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/../../etc/passwd",
        "/%2e%2e%2fetc",
        "/..%5c..%5cetc",
        "/;/..;/x",
        "/assets/..%2findex.html",
        "/assets/bar%2F..%2Findex.html",
        "/assets/%2e%2e/index.html"
      })
  @Row("P23")
  void noDetourLeadsAnywhere(String target) throws IOException {
    assertRefused(404, "GET " + target + " HTTP/1.1\r\n" + HOST + "Connection: close\r\n\r\n");
  }

  @Test
  void theServerIsCalledByItsNames() throws IOException {
    String close = "Connection: close\r\n\r\n";
    assertRefused(403, "GET /healthz HTTP/1.1\r\nHost: evil.example\r\n" + close);
    assertRefused(403, "GET /healthz HTTP/1.1\r\nHost: localhost.evil.example:80\r\n" + close);
    assertRefused(400, "GET /healthz HTTP/1.1\r\n" + close);
    assertRefused(400, "GET /healthz HTTP/1.1\r\n" + HOST + HOST + close);
    for (String name : List.of("localhost", "127.0.0.1:1", "[::1]:8080", "LOCALHOST")) {
      assertEquals(200, status(closed("GET /healthz HTTP/1.1\r\nHost: " + name + "\r\n" + close)));
    }
  }

  @Test
  @Row("P38")
  void slowHeadsAreClosedOnFirstAndLaterRequests() throws Exception {
    long began = System.nanoTime();
    assertEquals("", closed(""));
    assertEquals("", closed("GET /healthz HT"));
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(20_000);
      socket
          .getOutputStream()
          .write(("GET /healthz HTTP/1.1\r\n" + HOST + "\r\n").getBytes(StandardCharsets.US_ASCII));
      assertTrue(socket.getInputStream().read() >= 0);
      Thread.sleep(1_000);
      byte[] next = ("GET /healthz HTTP/1.1\r\n" + HOST).getBytes(StandardCharsets.US_ASCII);
      int sent = 0;
      try {
        while (sent < next.length) {
          socket.getOutputStream().write(next, sent++, 1);
          Thread.sleep(100);
        }
        assertEquals(1, answers("HTTP/1.1 200 " + rest(socket).replaceFirst("TTP/1.1 200 ", "")));
      } catch (SocketException closed) {
        assertTrue(sent < 20, "closed only after " + sent + " bytes");
      }
      assertTrue(sent < next.length, "the slow head was read to its end");
    }
    assertTrue(System.nanoTime() - began < Duration.ofSeconds(15).toNanos());
  }

  @Test
  @Row({"P38", "P42"})
  void slowBodiesAreClosedWithAReason() throws IOException {
    String head = "POST /v1/jobs HTTP/1.1\r\n" + HOST + "Content-Type: application/json\r\n";
    assertRefused(408, head + "Content-Length: 100\r\n\r\n{");
    assertRefused(417, head + "Content-Length: 100\r\nExpect: 200-ok\r\n\r\n");
    String answer = closed(head + "Content-Length: 100\r\nExpect: 100-continue\r\n\r\n");
    assertEquals(100, status(answer));
    assertTrue(answer.contains("HTTP/1.1 408 "), answer);
  }

  @Test
  @Row("P40")
  void pipelinedRequestsAreAnsweredInTheirOrder() throws IOException {
    String get = "GET /v1/levels HTTP/1.1\r\n" + HOST + "\r\n";
    String answer = closed(get.repeat(1_000) + "garbage\r\n\r\n");
    assertEquals(1_001, answers(answer));
    assertTrue(answer.lastIndexOf(" 400 Bad Request") > answer.lastIndexOf("HTTP/1.1 200 "));
  }

  @Test
  @Row("P43")
  void nothingIsUpgraded() throws IOException {
    String upgrade =
        "GET /healthz HTTP/1.1\r\n"
            + HOST
            + "Connection: Upgrade, HTTP2-Settings\r\n"
            + "Upgrade: h2c\r\n"
            + "HTTP2-Settings: AAMAAABk\r\n\r\n";
    assertEquals(200, status(closed(upgrade)));
    String socket =
        "GET /healthz HTTP/1.1\r\n"
            + HOST
            + "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    assertEquals(200, status(closed(socket)));
    assertTrue(List.of(0, 400).contains(status(closed("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"))));
  }

  @Test
  @Row("P27")
  void connectIsNoWayThrough() throws IOException {
    String answer = closed("CONNECT evil.example:80 HTTP/1.1\r\n" + HOST + "\r\n");
    assertTrue(List.of(400, 405).contains(status(answer)), answer);
  }
}
