package dev.halfcell.rest.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.Housekeeping;
import dev.halfcell.rest.service.Quotas;
import dev.halfcell.rest.service.Retention;
import dev.halfcell.rest.tracing.Tracing;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What is told of each request, and by what it is followed. */
final class AccessLogTest {
  private static final String LENET = "{\"network\": {\"name\": \"lenet5\"}}";
  private static final String ID = "0af7651916cd43dd8448eb211c80319c";
  private static final String PARENT = "00-" + ID + "-b7ad6b7169203331-01";

  @TempDir private Path folder;

  private Path log() {
    return folder.resolve("access.log");
  }

  private TestServer server() {
    return TestServer.start(
        folder.resolve("jobs"),
        new Housekeeping(
            Retention.forEver(), Quotas.Limits.none(), AccessLog.file(log(), Tracing.none())));
  }

  private List<JsonNode> logged() throws IOException {
    return Files.readAllLines(log()).stream().map(Json::read).toList();
  }

  @Test
  void eachRequestIsALineAndNothingOfItIsItsSendersOwn() throws IOException {
    String job;
    try (TestServer server = server()) {
      ContractClient client = server.client();
      job = client.post("/v1/jobs", LENET).expect(202).json().get("id").stringValue();
      client.get("/v1/jobs/" + job + "?key=s3cr3t", "Authorization", "Bearer s3cr3t-token");
      client.get("/s3cr3t", "User-Agent", "s3cr3t").expect(404);
      client.send("GETX", "/v1/jobs", "").expect(501);
      client.send("HEAD", "/v1/jobs/" + job + "/logs", "").expect(200);
      client.get("/healthz").expect(200);
      try (RawHttp raw = new RawHttp(server.port())) {
        assertTrue(raw.send("GET\u001b[31m s3cr3t\r\n\r\n").contains(" 400 "));
      }
    }
    List<JsonNode> lines = logged();
    assertEquals(7, lines.size());
    JsonNode submitted = lines.getFirst();
    assertEquals("POST", submitted.get("method").stringValue());
    assertEquals("/v1/jobs", submitted.get("route").stringValue());
    assertEquals(202, submitted.get("status").intValue());
    assertEquals(job, submitted.get("job").stringValue());
    assertEquals("local", submitted.get("owner").stringValue());
    assertTrue(submitted.get("bytes").longValue() > 500);
    assertTrue(submitted.get("milliseconds").doubleValue() > 0);
    assertTrue(submitted.get("traceId").stringValue().matches("[0-9a-f]{32}"));
    assertEquals("/v1/jobs/{id}", lines.get(1).get("route").stringValue());
    assertEquals(422, lines.get(1).get("status").intValue());
    assertEquals("none", lines.get(2).get("route").stringValue());
    assertEquals("OTHER", lines.get(3).get("method").stringValue());
    assertEquals("HEAD", lines.get(4).get("method").stringValue());
    assertFalse(lines.get(5).has("owner"));
    assertEquals(400, lines.get(6).get("status").intValue());
    String text = Files.readString(log());
    assertFalse(text.contains("s3cr3t"), text);
    assertFalse(text.chars().anyMatch(c -> c < ' ' && c != '\n'), text);
  }

  @Test
  void aTraceGoesFromTheRequestThroughAnswerProblemJobAndLog() throws IOException {
    try (TestServer server = server()) {
      ContractClient client = server.client();
      ContractClient.Reply made = client.post("/v1/jobs", LENET, "traceparent", PARENT).expect(202);
      assertTrue(made.header("traceparent").matches("00-" + ID + "-[0-9a-f]{16}-01"));
      assertNotEquals(PARENT, made.header("traceparent"));
      assertEquals(ID, made.json().get("traceId").stringValue());
      ContractClient.Reply refused =
          client.post("/v1/jobs", "{}", "traceparent", PARENT).expect(422);
      assertEquals(ID, refused.json().get("traceId").stringValue());
      String own = client.get("/nothing").expect(404).json().get("traceId").stringValue();
      assertNotEquals(ID, own);
      String two =
          client
              .get("/nothing", "traceparent", PARENT, "traceparent", PARENT)
              .json()
              .get("traceId")
              .stringValue();
      assertNotEquals(ID, two);
      String comparison = "{\"specification\":" + LENET + ",\"levels\":[\"O0\"]}";
      String job =
          client
              .post("/v1/comparisons", comparison, "traceparent", PARENT)
              .expect(202)
              .json()
              .at("/rows/0/job")
              .stringValue();
      assertEquals(ID, client.get("/v1/jobs/" + job).json().get("traceId").stringValue());
    }
    assertEquals(ID, logged().getFirst().get("traceId").stringValue());
  }

  @Test
  void anAnswerThatBreaksOffIsALineToo() throws Exception {
    try (TestServer server = server()) {
      String job = server.submit().text();
      try (RawHttp raw = new RawHttp(server.port())) {
        raw.begin(
            "GET /v1/jobs/"
                + job
                + "/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n");
      }
      for (int i = 0; i < 500 && (!Files.exists(log()) || logged().size() < 2); i++) {
        Thread.sleep(20);
      }
    }
    JsonNode line = logged().get(1);
    assertTrue(line.get("brokenOff").booleanValue(), line::toString);
    assertEquals("/v1/jobs/{id}/events", line.get("route").stringValue());
  }

  @Test
  void aLongFileBeginsAnewAndTheLastFewAreKept() throws IOException {
    RotatingFile file = new RotatingFile(log(), 1000);
    for (int i = 0; i < 1000; i++) {
      file.write("%09d".formatted(i));
    }
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(
          List.of("access.log", "access.log.1", "access.log.2", "access.log.3"),
          files.map(each -> String.valueOf(each.getFileName())).sorted().toList());
    }
    assertEquals("000000999", Files.readAllLines(log()).getLast());
    assertEquals("000000600", Files.readAllLines(log().resolveSibling("access.log.3")).getFirst());
  }

  /** A connection on which anything can be sent. */
  private static final class RawHttp implements AutoCloseable {
    private final java.net.Socket socket;

    RawHttp(int port) throws IOException {
      socket = new java.net.Socket(java.net.InetAddress.getLoopbackAddress(), port);
      socket.setSoTimeout(10_000);
    }

    /** What is answered until the connection is closed. */
    String send(String text) throws IOException {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    /** Reads the first of what is answered. */
    void begin(String text) throws IOException {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
      assertTrue(socket.getInputStream().read() > 0);
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
