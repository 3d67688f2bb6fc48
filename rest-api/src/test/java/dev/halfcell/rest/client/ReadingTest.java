package dev.halfcell.rest.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.zoo.job.JobSpecification;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Logs, curves, plans and comparisons: how they are asked for, and answers that are none. */
final class ReadingTest {
  private static ScriptedServer always(byte[] answer) {
    return new ScriptedServer((_, out) -> out.write(answer));
  }

  private static byte[] log(String text, String... headers) {
    return ScriptedServer.answer(
        200, "application/x-ndjson", text.getBytes(StandardCharsets.UTF_8), headers);
  }

  @Test
  void filtersOfALogAreParameters() {
    byte[] answer = log("{\"level\":\"new\",\"message\":\"m\",\"more\":[]}\n", "Log-Position: 7");
    try (ScriptedServer server = always(answer);
        HalfCellClient client = server.client()) {
      LogFilter filter = LogFilter.all().atLevel("error").withTail(3).withSince(1L << 40);
      JobLog log = client.logs(Jobs.ID, filter);
      assertEquals("new", log.lines().getFirst().level());
      assertEquals(7, log.position());
      client.logs(Jobs.ID, LogFilter.all());
      String path = "/v1/jobs/" + Jobs.ID + "/logs";
      assertEquals(
          path + "?level=error&tail=3&since=1099511627776", server.requests().getFirst().path());
      assertEquals("application/x-ndjson", server.requests().getFirst().header("accept"));
      assertEquals(path + "?since=0", server.requests().getLast().path());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "here"})
  void aLogWithoutItsPlaceIsNoAnswer(String position) {
    byte[] answer = position.isEmpty() ? log("") : log("", "Log-Position: " + position);
    try (ScriptedServer server = always(answer);
        HalfCellClient client = server.client()) {
      AnswerException e =
          assertThrows(AnswerException.class, () -> client.logs(Jobs.ID, LogFilter.all()));
      assertTrue(e.problem().message().contains("Log-Position"), e.problem().message());
    }
  }

  @Test
  void aLogOfWhatAreNoLinesIsNoAnswer() {
    try (ScriptedServer server = always(log("{\"level\":\"info\"}\n", "Log-Position: 1"));
        HalfCellClient client = server.client()) {
      assertThrows(AnswerException.class, () -> client.logs(Jobs.ID, LogFilter.all()));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"bytes 0-3/9", "bytes 2-4/9", "bytes */9", "none"})
  void bytesThatWereNotAskedForAreNoAnswer(String range) {
    byte[] body = "abcd".getBytes(StandardCharsets.UTF_8);
    byte[] answer = ScriptedServer.answer(206, "text/plain", body, "Content-Range: " + range);
    try (ScriptedServer server = always(answer);
        HalfCellClient client = server.client()) {
      assertThrows(AnswerException.class, () -> client.logPart(Jobs.ID, 2, 6));
      assertEquals("bytes=2-5", server.requests().getFirst().header("range"));
    }
  }

  @Test
  void theServerMayGiveFewerBytes() {
    byte[] body = "ab".getBytes(StandardCharsets.UTF_8);
    byte[] answer = ScriptedServer.answer(206, "text/plain", body, "Content-Range: bytes 2-3/9");
    try (ScriptedServer server = always(answer);
        HalfCellClient client = server.client()) {
      LogPart part = client.logPart(Jobs.ID, 2, 6);
      assertEquals(4, part.end());
      assertEquals(9, part.length());
    }
  }

  private static Metrics metrics(String overflows, String series) {
    String json =
        """
        {"sampled":false,"totalPoints":2,"steps":[1,2],"overflows":%s,"series":%s,"epochs":[]}"""
            .formatted(overflows, series);
    try (ScriptedServer server = always(ScriptedServer.json(200, json));
        HalfCellClient client = server.client()) {
      MetricsFilter filter = MetricsFilter.all().withSteps(5, 6).withPoints(7);
      Metrics metrics = client.metrics(Jobs.ID, filter);
      assertEquals(
          "/v1/jobs/" + Jobs.ID + "/metrics?from=5&to=6&points=7",
          server.requests().getFirst().path());
      return metrics;
    }
  }

  private static String column(String last) {
    return "{\"new\":{\"last\":" + last + ",\"min\":[1,2],\"max\":[1,2]}}";
  }

  @Test
  void aCurveThatANewerServerHasIsRead() {
    assertEquals(
        Map.of("new", List.of(new Metrics.Point(1, 1, 1, 1), new Metrics.Point(2, 2, 2, 2))),
        metrics("[0,0]", column("[1,2]")).series());
  }

  @ParameterizedTest
  @ValueSource(strings = {"[1]", "[1,2,3]", "null", "[1,\"a\"]"})
  void curvesThatAreNotAsLongAsTheirStepsAreNoAnswer(String last) {
    AnswerException e = assertThrows(AnswerException.class, () -> metrics("[0,0]", column(last)));
    assertFalse(e.problem().message().contains("dev.halfcell"), e.problem().message());
    assertThrows(AnswerException.class, () -> metrics("[0]", "{}"));
    assertThrows(AnswerException.class, () -> metrics("[0,null]", "{}"));
  }

  private static Plan plan(String memory) {
    String json =
        """
        {"level":"O2","half":"fp16","cells":[{"path":"/","class":"Net","parameters":null,
         "compute":"per op","output":"fp32","reason":"r"}],"notes":["n"],
         "totals":{"cells":1,"cells_in_half":2,"casts_to_half":3,"casts_to_fp32":4,
         "activation_bytes":5,"bytes_saved":-6}%s}"""
            .formatted(memory);
    try (ScriptedServer server = always(ScriptedServer.json(200, json));
        HalfCellClient client = server.client()) {
      PlanRequest request = PlanRequest.of("a b").atLevel("O2").withHalf("fp16").withBatchSize(8);
      Plan plan = client.plan(request);
      assertEquals(
          "/v1/networks/a%20b/plan?level=O2&half=fp16&batchSize=8",
          server.requests().getFirst().path());
      return plan;
    }
  }

  @Test
  void aPlanIsReadWithAndWithoutItsMemory() {
    Plan plan = plan("");
    assertEquals(
        List.of(new Plan.PlannedCell("/", "Net", Optional.empty(), "per op", "fp32", "r")),
        plan.cells());
    assertEquals(List.of("n"), plan.notes());
    assertEquals(new Plan.Totals(1, 2, 3, 4, 5, -6), plan.totals());
    assertEquals(Optional.empty(), plan.memory());
    String memory =
        """
        ,"estimated_peak_bytes":9,"estimated_parts":{"program":9},
        "estimated_device_bytes":7,"estimated_device_parts":{"step":7}""";
    assertEquals(
        new Plan.Memory(
            9, Map.of("program", 9L), Optional.of(new Plan.OnDevice(7, Map.of("step", 7L)))),
        plan(memory).memory().orElseThrow());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        "{\"level\":\"O2\",\"half\":\"fp16\",\"cells\":[null],\"notes\":[],\"totals\":{}}"
      })
  void whatIsNoPlanIsNoAnswer(String body) {
    try (ScriptedServer server = always(ScriptedServer.json(200, body));
        HalfCellClient client = server.client()) {
      assertThrows(AnswerException.class, () -> client.plan(Jobs.ID));
      assertEquals("/v1/jobs/" + Jobs.ID + "/plan", server.requests().getFirst().path());
    }
  }

  @Test
  void aComparisonIsSentAgainWithTheSameKey() {
    String json = "{\"id\":\"" + Jobs.ID + "\",\"ended\":false,\"rows\":[],\"levels\":[]}";
    AtomicInteger asked = new AtomicInteger();
    try (ScriptedServer server =
            new ScriptedServer(
                (_, out) -> {
                  byte[] answer = ScriptedServer.json(202, json);
                  boolean first = asked.getAndIncrement() == 0;
                  out.write(answer, 0, first ? answer.length / 2 : answer.length);
                });
        HalfCellClient client = server.client(Duration.ofSeconds(30))) {
      JobSpecification lenet = JobSpecification.of("lenet5");
      ComparisonSubmission made =
          client.submitComparison(ComparisonRequest.of(lenet, List.of("O0")));
      assertEquals(new Comparison(Jobs.ID, false, List.of(), List.of()), made.comparison());
      List<ScriptedServer.Request> requests = server.requests();
      assertEquals(2, requests.size());
      String key = requests.getFirst().header("idempotency-key");
      assertFalse(key.isEmpty());
      assertEquals(key, requests.getLast().header("idempotency-key"));
      assertEquals(
          "{\"specification\":" + lenet.json() + ",\"levels\":[\"O0\"]}",
          requests.getFirst().body());
      client.submitComparison(
          ComparisonRequest.of(lenet, List.of("O0")).withSeeds(List.of(3L)).withKey("mine"));
      assertEquals("mine", requests.getLast().header("idempotency-key"));
      assertTrue(requests.getLast().body().endsWith(",\"levels\":[\"O0\"],\"seeds\":[3]}"));
    }
  }
}
