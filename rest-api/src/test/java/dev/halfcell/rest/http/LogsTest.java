package dev.halfcell.rest.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.halfcell.rest.job.JobAction;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.service.JobLog;
import dev.halfcell.rest.service.JobLogWriter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What workers printed, chosen by how much it matters, and as JSON. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LogsTest {
  private static final String TRACE = "ab".repeat(16);
  private static final String STAMP = "2026-11-22T22:00:00.%03dZ %s attempt=1 trace=" + TRACE;

  private TestServer server;
  private ContractClient client;

  @BeforeAll
  void start(@TempDir Path root) {
    server = TestServer.start(root);
    client = server.client();
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private JobId job(String log) throws IOException {
    JobId job = server.submit();
    Files.createDirectories(server.folders().of(job));
    Files.writeString(server.folders().log(job), log);
    return job;
  }

  private static String stamped(int number, String level, String message) {
    return STAMP.formatted(number, level) + " " + message + "\n";
  }

  private static String logs(JobId job, String query) {
    return "/v1/jobs/" + job + "/logs" + query;
  }

  private String some() {
    return stamped(1, "INFO", "begins")
        + stamped(2, "DEBUG", "looks")
        + stamped(3, "WARNING", "odd")
        + stamped(4, "ERROR", "broke")
        + stamped(5, "INFO", "ends");
  }

  @Test
  void linesThatMatterLessAreLeftOut() throws IOException {
    JobId job = job(some());
    String odd = stamped(3, "WARNING", "odd");
    String broke = stamped(4, "ERROR", "broke");
    assertEquals(odd + broke, client.get(logs(job, "?level=warning")).expect(200).text());
    assertEquals(broke, client.get(logs(job, "?level=error")).expect(200).text());
    assertEquals(some(), client.get(logs(job, "?level=debug")).expect(200).text());
    assertEquals(broke, client.get(logs(job, "?level=warning&tail=1")).expect(200).text());
    assertEquals(odd + broke, client.get(logs(job, "?level=warning&tail=2")).expect(200).text());
    assertEquals(odd + broke, client.get(logs(job, "?level=warning&tail=9")).expect(200).text());
    assertEquals("", client.get(logs(job, "?level=warning&tail=0")).expect(200).text());
    client.get(logs(job, "?level=loud")).expect(422);
  }

  @Test
  void asJsonEachLineIsAnObjectOfTheDocument() throws IOException {
    JobId job = job(some() + "not stamped \u001b[1m");
    ContractClient.Reply reply =
        client.get(logs(job, ""), "Accept", "application/x-ndjson").expect(200);
    List<JsonNode> lines = reply.text().lines().map(Json::read).toList();
    assertEquals(6, lines.size());
    assertEquals("2026-11-22T22:00:00.004Z", lines.get(3).get("time").stringValue());
    assertEquals("error", lines.get(3).get("level").stringValue());
    assertEquals("broke", lines.get(3).get("message").stringValue());
    assertEquals(1, lines.get(3).get("attempt").intValue());
    assertEquals(TRACE, lines.get(3).get("traceId").stringValue());
    assertEquals("not stamped  [1m", lines.get(5).get("message").stringValue());
    for (JsonNode line : lines) {
      assertEquals(List.of(), List.copyOf(schema().validate(line)), line::toString);
    }
    String last =
        client.get(logs(job, "?tail=2"), "Accept", "application/x-ndjson").expect(200).text();
    assertEquals(
        "ends", Json.read(last.lines().findFirst().orElseThrow()).get("message").stringValue());
    client.get(logs(job, ""), "Accept", "application/json").expect(406);
  }

  private static Schema schema() {
    ObjectNode whole = Json.object().put("$ref", "#/components/schemas/LogLine");
    whole.set("components", ApiDocument.load().tree().get("components"));
    return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12).getSchema(whole);
  }

  @Test
  void whereALogWasCutALineSaysSo() throws IOException {
    JobId job = job("");
    try (JobLogWriter writer =
        JobLogWriter.open(server.folders().log(job), new JobLogWriter.Bounds(100, 2))) {
      for (int i = 0; i < 100; i++) {
        writer.write("line %04d\n".formatted(i));
      }
    }
    List<String> lines = client.get(logs(job, "")).expect(200).text().lines().toList();
    assertEquals(21, lines.size());
    assertEquals(JobLog.cut(800), lines.get(10));
    ContractClient.Reply json =
        client.get(logs(job, "?level=warning"), "Accept", "application/x-ndjson").expect(200);
    assertEquals(JobLog.cut(800), Json.read(json.text()).get("message").stringValue());
    assertEquals("1000", json.header("Log-Position"));
    assertEquals(
        "line 0095\n", client.get(logs(job, ""), "Range", "bytes=950-959").expect(206).text());
    client.get(logs(job, ""), "Range", "bytes=500-509").expect(416);
  }

  @Test
  void aFollowedLogIsChosenFromTooAndEndsWithItsJob() throws IOException {
    JobId job = job(some());
    server.move(job, JobAction.CLAIM, JobAction.BEGIN);
    try (InputStream in =
        client.stream(logs(job, "?follow=true&level=error"), "Accept", "application/x-ndjson")) {
      String first = new String(in.readNBytes(20), StandardCharsets.UTF_8);
      assertTrue(first.startsWith("{\"time\":\"2026-11-22"), first);
      Files.writeString(server.folders().log(job), some() + stamped(6, "ERROR", "last").strip());
      server.move(job, JobAction.COMPLETE);
      List<String> rest = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
      assertEquals("last", Json.read(rest.getLast()).get("message").stringValue());
      assertEquals(2, rest.size());
    }
  }
}
