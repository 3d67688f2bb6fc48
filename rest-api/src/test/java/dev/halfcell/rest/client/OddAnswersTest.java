package dev.halfcell.rest.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.job.JobState;
import dev.halfcell.tensor.ArgumentException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that are no answers end in bounded time, each with an error of its kind. */
final class OddAnswersTest {
  private static final Duration SHORT = Duration.ofSeconds(1);

  private static ScriptedServer always(byte[] answer) {
    return new ScriptedServer((_, out) -> out.write(answer));
  }

  private static Job read(String json) {
    try (ScriptedServer server = always(ScriptedServer.json(200, json));
        HalfCellClient client = server.client(SHORT)) {
      return client.job(Jobs.ID);
    }
  }

  @Test
  void whatANewerServerSaysMoreIsLeftAlone() {
    Job job = read(Jobs.json("RUNNING").replaceFirst("\\{", "{\"new\":[{\"a\":null}],"));
    assertEquals(JobState.RUNNING, job.state());
    assertEquals(Optional.empty(), job.progress());
    String reason = Jobs.json("RUNNING").replace("TRAINING", "MOVING_TO_THE_MOON");
    assertEquals("MOVING_TO_THE_MOON", read(reason).statusReason().code());
  }

  @Test
  void allOfAJobIsRead() {
    String more =
        """
        {"specification":{"network":{"name":"lenet5"},"training":{"epochs":2}},
         "resolved":{},"attempts":[{"number":1,"server":"s","pid":7,
         "startedAt":"2026-01-01T00:00:00Z","reason":"WORKER_LOST"}],
         "exit":{"signal":9,"graceful":false},"name":"n","labels":{"team":"a"},
         "progress":{"step":5,"totalSteps":10,"epoch":1,"epochs":2,"fraction":0.5,"etaSeconds":1.5,
         "updatedAt":"2026-01-01T00:00:00Z"},"failure":{"type":"worker","detail":"d",
         "oomKilled":true,"retryable":false,"logTail":""},\
        """;
    Job job = read(more + Jobs.json("FAILED").substring(1).replace("\"labels\":{},", ""));
    assertEquals(Map.of("team", "a"), job.labels());
    assertEquals(Optional.of(9), job.exit().orElseThrow().signal());
    assertEquals(Optional.of(10L), job.progress().orElseThrow().totalSteps());
    assertEquals("WORKER_LOST", job.attempts().orElseThrow().getFirst().reason().orElseThrow());
    assertEquals(Map.of("epochs", 2), job.specification().orElseThrow().get("training"));
    assertTrue(job.failure().orElseThrow().oomKilled());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "[]",
        "<html>",
        "{}",
        "{\"id\":\"x\"}",
        "{\"id\":\"x\"} trailing",
        "{\"state\":\"NEVER_HEARD_OF\"}"
      })
  void whatIsNoJobIsNoAnswerAndNotAskedAgain(String body) {
    try (ScriptedServer server = always(ScriptedServer.json(200, body));
        HalfCellClient client = server.client(SHORT)) {
      AnswerException e = assertThrows(AnswerException.class, () -> client.job(Jobs.ID));
      assertTrue(e.problem().message().contains("GET /v1/jobs/" + Jobs.ID), e.problem().message());
      assertFalse(e.problem().message().contains("dev.halfcell"), e.problem().message());
      assertEquals(1, server.requests().size());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"state", "createdAt", "labels", "statusReason", "message"})
  void aJobWithoutWhatJobsHaveIsNoAnswer(String key) {
    String json = Jobs.json("RUNNING").replace("\"" + key + "\"", "\"other\"");
    assertThrows(AnswerException.class, () -> read(json));
  }

  @Test
  void anAnswerWithoutEndIsCutOff() {
    try (ScriptedServer server =
            new ScriptedServer(
                (_, out) -> {
                  out.write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.UTF_8));
                  byte[] many = new byte[1 << 20];
                  while (true) {
                    out.write(many);
                  }
                });
        HalfCellClient client = server.client(SHORT)) {
      AnswerException e = assertThrows(AnswerException.class, () -> client.job(Jobs.ID));
      assertTrue(e.problem().message().contains("more than 67108864 bytes"), e.problem().message());
    }
  }

  private static void assertUnreachable(ScriptedServer.Script script, String reason) {
    try (ScriptedServer server = new ScriptedServer(script);
        HalfCellClient client =
            new HalfCellClient(
                server
                    .settings()
                    .withPatience(Duration.ofSeconds(2))
                    .withTimes(Duration.ofMillis(300), Duration.ofMillis(300)))) {
      long begun = System.nanoTime();
      UnreachableException e = assertThrows(UnreachableException.class, () -> client.job(Jobs.ID));
      assertTrue(e.problem().message().contains(reason), e.problem().message());
      assertTrue(server.requests().size() > 1, "it was not asked again");
      assertTrue(System.nanoTime() - begun < 20_000_000_000L, "it took too long");
    }
  }

  @Test
  void aServerThatSaysNothingIsLeft() {
    assertUnreachable((_, _) -> Thread.sleep(3000), "no answer within 300 ms");
  }

  @Test
  void aServerThatStopsWithinAnAnswerIsLeft() {
    assertUnreachable(
        (_, out) -> {
          out.write(ScriptedServer.json(200, Jobs.json("RUNNING")), 0, 200);
          out.flush();
          Thread.sleep(3000);
        },
        "silence");
  }

  @Test
  void whatIsNoHttpIsLeft() {
    assertUnreachable((_, out) -> out.write("SSH-2.0-x\r\n".getBytes(StandardCharsets.UTF_8)), "");
  }

  @Test
  void nobodyThere() throws Exception {
    int free;
    try (ServerSocket socket = new ServerSocket(0)) {
      free = socket.getLocalPort();
    }
    try (HalfCellClient client =
        new HalfCellClient(
            ClientSettings.at("http://127.0.0.1:" + free).withPatience(Duration.ofMillis(300)))) {
      UnreachableException e =
          assertThrows(UnreachableException.class, () -> client.jobs(JobFilter.all()));
      assertTrue(e.problem().message().contains("[GET /v1/jobs] at http://127.0.0.1:" + free));
      assertTrue(e.problem().message().contains("ConnectException"), e.problem().message());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "halfcell", "ftp://a", "http://", "http://u:secret@a", "http://a?b"})
  void whatIsNoAddressIsRefused(String address) {
    ArgumentException e = assertThrows(ArgumentException.class, () -> ClientSettings.at(address));
    assertFalse(e.problem().message().contains("secret"), e.problem().message());
  }

  @Test
  void aTokenIsSentAndNeverSaid() {
    try (ScriptedServer server = always(ScriptedServer.problem(401, "A token is needed", "none"));
        HalfCellClient client = new HalfCellClient(server.settings().withToken("s3cret"))) {
      ProblemException e = assertThrows(ProblemException.class, () -> client.job(Jobs.ID));
      assertEquals(401, e.status());
      assertEquals("Bearer s3cret", server.requests().getFirst().header("authorization"));
      assertFalse(e.problem().message().contains("s3cret"));
      assertFalse(server.settings().withToken("s3cret").toString().contains("s3cret"));
    }
    assertThrows(
        ArgumentException.class, () -> ClientSettings.at("http://a").withToken("a\r\nb: c"));
  }

  @Test
  void filtersAreParametersAndPagesFollow() {
    String page = "{\"jobs\":[" + Jobs.json("PAUSED") + "],\"next\":\"a b+c\"}";
    try (ScriptedServer server = always(ScriptedServer.json(200, page));
        HalfCellClient client = server.client()) {
      JobFilter filter =
          new JobFilter(
              List.of(JobState.QUEUED, JobState.PAUSED),
              Map.of("team", "a&b=c d"),
              Optional.of("lenet5"),
              Optional.of("O2"),
              Optional.of("oldest"),
              7);
      JobPage first = client.jobs(filter);
      client.jobs(filter, first.next().orElseThrow());
      String query =
          "/v1/jobs?state=QUEUED&state=PAUSED&label=team%3Da%26b%3Dc%20d&network=lenet5&level=O2"
              + "&sort=oldest&limit=7";
      assertEquals(query, server.requests().getFirst().path());
      assertEquals(query + "&next=a%20b%2Bc", server.requests().getLast().path());
    }
  }

  @Test
  void actionsAreAskedFor() {
    try (ScriptedServer server = always(ScriptedServer.json(202, Jobs.json("CANCELLING")));
        HalfCellClient client = server.client()) {
      client.cancel(Jobs.ID, Duration.ofSeconds(3));
      client.resume(Jobs.ID, Optional.of("step-7"));
      client.clone(Jobs.ID, Map.of("/precision/level", "O0"));
      List<ScriptedServer.Request> requests = server.requests();
      assertEquals("/v1/jobs/" + Jobs.ID + "/cancel?wait=3", requests.getFirst().path());
      assertEquals("{\"checkpoint\":\"step-7\"}", requests.get(1).body());
      assertEquals("{\"changes\":{\"/precision/level\":\"O0\"}}", requests.get(2).body());
      assertFalse(requests.get(1).header("idempotency-key").isEmpty());
      assertThrows(ArgumentException.class, () -> client.cancel("../x", SHORT));
    }
  }

  @Test
  void whatIsNotThereIsDeleted() {
    try (ScriptedServer server = always(ScriptedServer.problem(404, "None", "no such job"));
        HalfCellClient client = server.client()) {
      client.delete(Jobs.ID);
      assertEquals("DELETE", server.requests().getFirst().method());
      assertThrows(ProblemException.class, () -> client.job(Jobs.ID));
    }
  }
}
