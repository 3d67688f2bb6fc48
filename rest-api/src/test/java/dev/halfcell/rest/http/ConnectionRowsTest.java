package dev.halfcell.rest.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.job.JobId;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes wrong on connections, and harms nobody else. */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConnectionRowsTest {
  private static final String HOST = "Host: localhost\r\n";
  private static final String GET = "GET /v1/levels HTTP/1.1\r\n" + HOST + "\r\n";
  private static final String POST =
      "POST /v1/jobs HTTP/1.1\r\n" + HOST + "Content-Type: application/json\r\n";
  private static final int LARGE = 50_000_000;

  private TestServer server;

  @BeforeAll
  void start(@TempDir Path root) {
    HttpServerSettings http = TestServer.http();
    Duration soon = Duration.ofSeconds(1);
    server =
        TestServer.start(
            root,
            http.with(
                new HttpServerSettings.Deadlines(
                    soon, soon, Duration.ofSeconds(3), Duration.ofSeconds(15), soon)),
            Tokens.none());
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private Socket connected() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    socket.setSoTimeout(20_000);
    return socket;
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** All that is answered until the server closes. */
  private String closed(String request) throws IOException {
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    try (Socket socket = connected()) {
      send(socket, request);
      byte[] block = new byte[8192];
      for (int n = socket.getInputStream().read(block);
          n >= 0;
          n = socket.getInputStream().read(block)) {
        read.write(block, 0, n);
      }
    } catch (SocketException reset) {
      // Closed while we still wrote: what was read is the answer.
    }
    return read.toString(StandardCharsets.ISO_8859_1);
  }

  private static int answers(String text) {
    return text.split("HTTP/1\\.[01] \\d\\d\\d ", -1).length - 1;
  }

  private void assertHealthy() {
    server.client().get("/healthz").expect(200);
  }

  @ParameterizedTest
  @Row("P20")
  @ValueSource(
      strings = {
        "X-A: a\r\n b\r\n",
        "X-A: a\r\n\tb\r\n",
        "Transfer-Encoding: chunked\r\n X: y\r\n"
      })
  void foldedHeadersAreNotTakenForTwo(String header) throws IOException {
    String answer = closed(POST + header + "Content-Length: 0\r\nConnection: close\r\n\r\n");
    assertTrue(answer.startsWith("HTTP/1.1 400 "), answer);
    assertEquals(1, answers(answer));
    assertHealthy();
  }

  @ParameterizedTest
  @Row("P20")
  @ValueSource(ints = {10_000, 10_000_000})
  void extensionsOfChunksAreBounded(int length) throws IOException {
    String head = POST + "Transfer-Encoding: chunked\r\n\r\n1;e=";
    String answer = closed(head + "x".repeat(length) + "\r\n{\r\n0\r\n\r\n" + GET);
    assertTrue(answer.isEmpty() || answer.startsWith("HTTP/1.1 400 "), answer);
    assertTrue(answers(answer) <= 1);
    assertHealthy();
  }

  @ParameterizedTest
  @Row("P20")
  @ValueSource(strings = {"X A: b\r\n\r\n", "no colon\r\n\r\n", "X: a\u0000\r\n\r\n"})
  void trailersThatAreNoneAreRefused(String trailer) throws IOException {
    String answer = closed(POST + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n" + trailer);
    assertTrue(answer.isEmpty() || answer.startsWith("HTTP/1.1 4"), answer);
    assertTrue(answers(answer) <= 1);
    assertHealthy();
  }

  @Test
  @Row("P23")
  void aDetourChangesNoLaterAnswer() {
    ContractClient client = server.client();
    String before = client.get("/assets/dashboard.js").expect(200).header("ETag");
    for (String detour :
        List.of(
            "/assets/bar%2F..%2Fdashboard.js",
            "/assets/%2e%2e/assets/dashboard.js",
            "/assets/..%5cdashboard.js",
            "/assets/dashboard.js;/..;/x",
            "/assets/%252e%252e%252fdashboard.js")) {
      client.get(detour).expect(404);
      assertEquals(before, client.get("/assets/dashboard.js").expect(200).header("ETag"));
    }
  }

  @Test
  @Row("P38")
  void aReaderOfALargeFileWhoStopsKeepsNobodyWaiting() throws IOException {
    JobId job = server.submit();
    Path run = server.folders().run(job);
    Files.createDirectories(run);
    Files.write(run.resolve("model.safetensors"), new byte[LARGE]);
    try (Socket stalled = new Socket()) {
      stalled.setReceiveBufferSize(4096);
      stalled.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
      send(
          stalled,
          "GET /v1/jobs/" + job + "/artifacts/model.safetensors HTTP/1.1\r\n" + HOST + "\r\n");
      long began = System.nanoTime();
      for (int i = 0; i < 20; i++) {
        assertHealthy();
      }
      assertTrue(System.nanoTime() - began < Duration.ofSeconds(5).toNanos());
      stalled.setSoTimeout(20_000);
      awaitConnections(2);
    }
  }

  /** Until no more than these are open: the client's own may stay. */
  private void awaitConnections(int most) throws IOException {
    for (int tries = 0; connections() > most; tries++) {
      assertTrue(tries < 200, () -> connections() + " connections are open");
      try {
        Thread.sleep(50);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException(e);
      }
    }
  }

  private int connections() {
    return figure("halfcell_http_connections ");
  }

  private int figure(String name) {
    return server
        .client()
        .get("/metrics")
        .expect(200)
        .text()
        .lines()
        .filter(line -> line.startsWith(name))
        .map(line -> (int) Double.parseDouble(line.substring(name.length())))
        .findFirst()
        .orElseThrow();
  }

  @Test
  @Row("P40")
  void whatIsPipelinedBehindGarbageIsNotRead() throws IOException {
    String job = "{\"network\":{\"name\":\"lenet5\"}}";
    long before = server.store().counts().getOrDefault("QUEUED", 0L);
    String post = POST + "Content-Length: " + job.length() + "\r\n\r\n" + job;
    String answer = closed(GET.repeat(10_000) + post + "garbage\r\n\r\n" + post);
    assertEquals(10_002, answers(answer));
    assertTrue(answer.lastIndexOf(" 400 Bad Request") > answer.lastIndexOf("HTTP/1.1 202 "));
    assertEquals(before + 1, server.store().counts().get("QUEUED"));
  }

  @Test
  @Row("P41")
  void whoResetsInTheMiddleLeavesNothingBehind() throws Exception {
    JobId job = server.submit();
    List<String> beginnings =
        List.of(
            "GET /v1/jo",
            POST + "Content-Length: 100\r\n\r\n{",
            POST + "Transfer-Encoding: chunked\r\n\r\n10\r\n{",
            GET,
            "GET /v1/jobs/"
                + job
                + "/events HTTP/1.1\r\n"
                + HOST
                + "Accept: text/event-stream\r\n\r\n",
            "GET /v1/jobs/" + job + "/logs?follow=true HTTP/1.1\r\n" + HOST + "\r\n");
    for (int i = 0; i < 300; i++) {
      try (Socket socket = connected()) {
        socket.setSoLinger(true, 0);
        send(socket, beginnings.get(i % beginnings.size()));
      }
    }
    awaitConnections(2);
    for (int tries = 0; figure("halfcell_http_streams ") > 0; tries++) {
      assertTrue(tries < 200, "streams are counted still");
      assertHealthy();
      // A stream looks every two seconds whether it has a reader.
      Thread.sleep(20);
    }
  }

  @ParameterizedTest
  @Row("P43")
  @ValueSource(
      strings = {
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x\r\n",
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 99\r\n",
        "Upgrade: h2c\r\nConnection: Upgrade\r\n",
        "Upgrade: TLS/1.0\r\nConnection: Upgrade\r\n"
      })
  void framesOfOtherProtocolsAreNoRequests(String upgrade) throws IOException {
    String frames = "\u0081\u00ff" + "\u007f".repeat(8) + "x".repeat(100) + "\u0089\u0000";
    String answer = closed("GET /healthz HTTP/1.1\r\n" + HOST + upgrade + "\r\n" + frames);
    assertTrue(answer.startsWith("HTTP/1.1 200 "), answer);
    assertTrue(answers(answer) <= 2);
    assertHealthy();
  }

  @ParameterizedTest
  @Row({"P26", "P22"})
  @ValueSource(ints = {5_000, 1_000_000})
  void aNameOfAJobThatIsTooLongIsRefused(int length) throws IOException {
    String answer = closed("GET /v1/jobs/" + "a".repeat(length) + " HTTP/1.1\r\n" + HOST + "\r\n");
    // Who goes on writing may be reset before the answer is read.
    assertTrue(answer.isEmpty() || answer.matches("(?s)HTTP/1\\.[01] 414 .*"), answer);
    assertHealthy();
  }
}
