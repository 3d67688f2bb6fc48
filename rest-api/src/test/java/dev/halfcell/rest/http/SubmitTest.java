package dev.halfcell.rest.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.job.Attempt;
import dev.halfcell.rest.job.JobAction;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.JobProgress;
import dev.halfcell.rest.job.StatusReason;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** How jobs are taken, and what is refused. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SubmitTest {
  private static final String LENET = "{\"network\": {\"name\": \"lenet5\"}}";

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

  @BeforeEach
  void emptyQueue() {
    for (JsonNode job : client.get("/v1/jobs?state=QUEUED&limit=200").json().get("jobs")) {
      client.post("/v1/jobs/" + job.get("id").stringValue() + "/cancel", "").expect(200);
    }
  }

  private long queued() {
    return server.store().counts().getOrDefault("QUEUED", 0L);
  }

  @Test
  void aJobIsTakenAndThereAtOnce() {
    ContractClient.Reply reply = client.post("/v1/jobs", LENET).expect(202);
    JsonNode job = reply.json();
    assertEquals("QUEUED", job.get("state").stringValue());
    assertEquals("local", job.get("owner").stringValue());
    assertEquals("lenet5", job.get("network").stringValue());
    assertTrue(job.get("estimatedBytes").longValue() > 100 << 20);
    JsonNode again = client.get(reply.header("Location")).expect(200).json();
    assertEquals(job, again);
    assertTrue(server.workers().told().contains("queue"));
  }

  @Tag("Ray-31356")
  @Test
  @Row("P46")
  void aRetryOfASubmitMakesNoSecondJob() {
    JsonNode first = client.post("/v1/jobs", LENET, "Idempotency-Key", "k1").expect(202).json();
    ContractClient.Reply again =
        client.post("/v1/jobs", LENET, "Idempotency-Key", "k1").expect(202);
    assertEquals(first.get("id"), again.json().get("id"));
    assertEquals("true", again.header("Idempotency-Replayed"));
    client
        .post("/v1/jobs", "{\"network\": {\"name\": \"mlp\"}}", "Idempotency-Key", "k1")
        .expect(409);
  }

  @Tag("Ray-53946")
  @Test
  @Row("P46")
  void fiftyRetriesAtOnceMakeOneJob() {
    ConcurrentSkipListSet<String> ids = new ConcurrentSkipListSet<>();
    IntStream.range(0, 50)
        .parallel()
        .forEach(
            _ ->
                ids.add(
                    client
                        .post("/v1/jobs", LENET, "Idempotency-Key", "fifty")
                        .expect(202)
                        .json()
                        .get("id")
                        .stringValue()));
    assertEquals(1, ids.size());
    assertEquals(1, queued());
  }

  @Test
  @Row("P46")
  void keysHaveBounds() {
    client.post("/v1/jobs", LENET, "Idempotency-Key", "k".repeat(256)).expect(422);
  }

  @Test
  void anExternalIdIsGivenOnce() {
    ContractClient.Reply first = client.post("/v1/jobs?externalId=mine", LENET).expect(202);
    ContractClient.Reply second = client.post("/v1/jobs?externalId=mine", LENET).expect(409);
    assertEquals(first.header("Location"), second.header("Location"));
  }

  @Test
  void aDryRunQueuesNothing() {
    JsonNode told = client.post("/v1/jobs?dryRun=true", LENET).expect(200).json();
    assertEquals(0, queued());
    assertEquals("lenet5", told.get("network").stringValue());
    assertEquals(
        told.get("totalSteps").longValue(),
        told.get("stepsPerEpoch").longValue() * told.get("epochs").intValue());
    assertTrue(told.get("flopsPerStep").longValue() > 1_000_000);
    assertTrue(told.at("/memory/bytes").longValue() > 100 << 20);
    assertTrue(told.at("/plan/cells").size() > 5);
  }

  @Test
  void aDryRunTellsTheTimeOnceAJobOfTheKindHasSucceeded() {
    String kind =
        "{\"network\":{\"name\":\"lenet5\"},\"training\":{\"batchSize\":32,\"steps\":%d}}";
    JsonNode before = client.post("/v1/jobs?dryRun=true", kind.formatted(400)).expect(200).json();
    assertTrue(before.path("time").isMissingNode());
    JsonNode sent = client.post("/v1/jobs", kind.formatted(100)).expect(202).json();
    JobId job = new JobId(sent.get("id").stringValue());
    Instant start = Instant.parse("2026-11-22T10:00:00Z");
    Instant end = start.plusSeconds(25);
    server
        .store()
        .tried(
            job,
            new Attempt(
                1,
                "s",
                Optional.empty(),
                start,
                Optional.of(0L),
                Optional.of(end),
                Optional.of(StatusReason.Code.COMPLETED),
                Optional.empty()),
            new JobProgress(100, Optional.of(100L), 1, 1, 1, Optional.empty(), end));
    server.move(job, JobAction.CLAIM, JobAction.BEGIN, JobAction.COMPLETE);
    JsonNode told = client.post("/v1/jobs?dryRun=true", kind.formatted(400)).expect(200).json();
    assertEquals(0.25, told.at("/time/secondsPerStep").doubleValue());
    assertEquals(100.0, told.at("/time/seconds").doubleValue());
    assertEquals(job.text(), told.at("/time/measuredBy").stringValue());
    JsonNode other = client.post("/v1/jobs?dryRun=true", LENET).expect(200).json();
    assertTrue(other.path("time").isMissingNode());
  }

  @Test
  @Row("P12")
  void everyMistakeIsToldWithItsPointer() {
    JsonNode problem =
        client
            .post(
                "/v1/jobs",
                "{\"network\":{\"name\":\"lenet5\"},"
                    + "\"training\":{\"epochs\":\"5\",\"epoch\":1},\"state\":\"SUCCEEDED\"}")
            .expect(422)
            .json();
    List<String> pointers =
        problem.get("errors").valueStream().map(e -> e.get("pointer").stringValue()).toList();
    assertTrue(
        pointers.containsAll(List.of("/training/epochs", "/training/epoch", "/state")),
        pointers::toString);
    assertEquals(0, queued());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2147483648",
        "9223372036854775808",
        "-1",
        "0",
        "1.5",
        "\"5\"",
        "true",
        "[5]",
        "{}",
        "null"
      })
  @Row("P8")
  void nothingIsTakenForANumberOfEpochsThatIsNone(String epochs) {
    String body = "{\"network\":{\"name\":\"lenet5\"},\"training\":{\"epochs\":" + epochs + "}}";
    JsonNode problem = client.post("/v1/jobs", body).expect(422).json();
    assertEquals("/training/epochs", problem.at("/errors/0/pointer").stringValue());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{",
        "{\"a\":1,}",
        "{'a':1}",
        "{/* no */}",
        "{\"a\":NaN}",
        "{} {}",
        "{}x",
        "tru",
        "{\"a\":1,\"a\":2}",
        "{\"name\":\"\\ud800\"}",
        "{\"a\":1e400}",
        "\u0000",
        "// c\n{}",
        " "
      })
  @Row({"P2", "P3"})
  void whatIsNoJsonIsRefused(String body) {
    client.post("/v1/jobs", body).expect(400);
    assertEquals(0, queued());
  }

  @Test
  @Row("P2")
  void whatIsNoUtf8IsRefused() {
    client.bytes("/v1/jobs", new byte[] {'"', (byte) 0xff, '"'}).expect(400);
    client.bytes("/v1/jobs", LENET.getBytes(StandardCharsets.UTF_16)).expect(400);
    client.bytes("/v1/jobs", ("\ufeff" + LENET).getBytes(StandardCharsets.UTF_8)).expect(400);
  }

  @ParameterizedTest
  @ValueSource(strings = {"[", "{\"a\":"})
  @Row("P5")
  void depthIsBounded(String opening) {
    client.post("/v1/jobs", opening.repeat(30_000)).expect(400);
    client.post("/v1/jobs", opening.repeat(33)).expect(400);
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "[]", "\"x\"", "1", "{}"})
  @Row("P1")
  void jsonThatIsNoSpecificationIsRefused(String body) {
    client.post("/v1/jobs", body).expect(422);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"../mnist", "mnist\\u0000", "file:///etc/passwd", "http://169.254.169.254/"})
  @Row("P11")
  void aDataSetIsANameOfTheListAndNothingElse(String name) {
    String body = "{\"network\":{\"name\":\"lenet5\"},\"dataset\":{\"name\":\"" + name + "\"}}";
    client.post("/v1/jobs", body).expect(422);
  }

  @Test
  @Row("P15")
  void whatNeedsTooMuchMemoryIsRefusedWithFigures() {
    JsonNode problem =
        client
            .post(
                "/v1/jobs",
                "{\"network\":{\"name\":\"lenet5\"},\"training\":{\"batchSize\":60000}}")
            .expect(422)
            .json();
    String detail = problem.get("detail").stringValue();
    assertTrue(detail.contains("GiB") && detail.contains("activations"), detail);
    assertEquals(0, queued());
  }

  @Test
  @Row("P13")
  void namesAreTextAndNothingElse() {
    String name = "<img src=x onerror=alert(1)> ${jndi:ldap://x} \uD83D\uDE00";
    String body = "{\"network\":{\"name\":\"lenet5\"},\"name\":\"" + name + "\"}";
    assertEquals(name, client.post("/v1/jobs", body).expect(202).json().get("name").stringValue());
    client
        .post("/v1/jobs", "{\"network\":{\"name\":\"lenet5\"},\"name\":\"a\\r\\nb\"}")
        .expect(422);
  }

  @Test
  @Row("P53")
  void aFullQueueSaysSoAndWhen() {
    for (int i = 0; i < 10; i++) {
      client.post("/v1/jobs", LENET).expect(202);
    }
    ContractClient.Reply refused = client.post("/v1/jobs", LENET).expect(429);
    assertFalse(refused.header("Retry-After").isEmpty());
    assertTrue(refused.text().contains("10 jobs wait"));
  }

  @Test
  void aBrokenStoreIsNoDefectAndHealsByItself() {
    server.store().broken(true);
    try {
      client.post("/v1/jobs", LENET).expect(503);
      client.get("/readyz").expect(503);
      client.get("/healthz").expect(200);
    } finally {
      server.store().broken(false);
    }
    client.post("/v1/jobs", LENET).expect(202);
    client.get("/readyz").expect(200);
  }

  @Test
  void aServerOutOfReachOfItsFilesIsNotReadyAndStillAnswers() {
    server.workers().ready(false);
    String why = client.get("/readyz").expect(503).json().get("detail").asString();
    assertEquals("The files of jobs are out of reach.", why);
    client.get("/healthz").expect(200);
    client.post("/v1/jobs", LENET).expect(202);
    server.workers().ready(true);
    client.get("/readyz").expect(200);
  }
}
