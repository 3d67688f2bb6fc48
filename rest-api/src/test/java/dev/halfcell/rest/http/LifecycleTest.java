package dev.halfcell.rest.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.job.JobAction;
import dev.halfcell.rest.job.JobId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What is done with jobs that are there. */
class LifecycleTest {
  @TempDir private Path root;
  private TestServer server;
  private ContractClient client;

  @BeforeEach
  void start() {
    server = TestServer.start(root);
    client = server.client();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static String at(JobId job) {
    return "/v1/jobs/" + job;
  }

  private void checkpoint(JobId job, long step) throws IOException {
    Path folder = server.folders().run(job).resolve("checkpoints");
    Files.createDirectories(folder);
    Files.createFile(folder.resolve("step-%012d.safetensors".formatted(step)));
  }

  @Tag("Ray-58353")
  @Test
  @Row("P47")
  void cancellingAQueuedJobCancelsIt() {
    JobId job = server.submit();
    JsonNode cancelled = client.post(at(job) + "/cancel", "").expect(200).json();
    assertEquals("CANCELLED", cancelled.get("state").stringValue());
    assertEquals("CANCELLED_BY_REQUEST", cancelled.at("/statusReason/code").stringValue());
    JsonNode again = client.post(at(job) + "/cancel", "{}").expect(200).json();
    assertEquals(cancelled, again);
  }

  /** What was read of the queue is told for two seconds at the most. */
  @Test
  void aWaitingJobTellsItsPlaceAndThatItMovedOn() throws InterruptedException {
    JobId first = server.submit();
    JobId job = server.submit();
    ContractClient.Reply reply = client.get(at(job)).expect(200);
    assertEquals(2, reply.json().at("/statusReason/place").intValue(), reply::toString);
    assertTrue(
        reply.json().at("/statusReason/message").stringValue().endsWith("Place in the queue: 2."));
    client.get(at(job), "If-None-Match", reply.header("ETag")).expect(304);
    JsonNode cancelled = client.post(at(first) + "/cancel", "").expect(200).json();
    assertTrue(cancelled.at("/statusReason/place").isMissingNode());
    Thread.sleep(2100);
    JsonNode moved = client.get(at(job), "If-None-Match", reply.header("ETag")).expect(200).json();
    assertEquals(1, moved.at("/statusReason/place").intValue());
    JsonNode listed = client.get("/v1/jobs?state=QUEUED").expect(200).json();
    assertEquals(1, listed.at("/jobs/0/statusReason/place").intValue());
    server.move(job, JobAction.CLAIM);
    JsonNode taken = client.get(at(job)).expect(200).json();
    assertTrue(taken.at("/statusReason/place").isMissingNode());
  }

  @Test
  @Row("P47")
  void cancellingARunningJobTellsItsWorkerAndWaitsForItsEnd() {
    JobId job = server.submit();
    server.move(job, JobAction.CLAIM, JobAction.BEGIN);
    JsonNode asked = client.post(at(job) + "/cancel", "").expect(202).json();
    assertEquals("CANCELLING", asked.get("state").stringValue());
    assertEquals("CANCELLING", asked.at("/statusReason/code").stringValue());
    assertTrue(server.workers().told().contains("CANCEL " + job));
    Thread worker = Thread.ofVirtual().start(() -> server.move(job, JobAction.LOSE));
    JsonNode ended = client.post(at(job) + "/cancel?wait=20", "").expect(200).json();
    assertEquals("CANCELLED", ended.get("state").stringValue());
    assertTrue(worker.isAlive() || !worker.isInterrupted());
  }

  @Test
  void aWaitEndsWhenItsTimeIsOver() {
    JobId job = server.submit();
    server.move(job, JobAction.CLAIM, JobAction.BEGIN);
    client.post(at(job) + "/cancel?wait=1", "").expect(202);
  }

  @Test
  @Row({"P47", "P49"})
  void aSucceededJobStaysSo() {
    JobId job = server.submit();
    server.move(job, JobAction.CLAIM, JobAction.BEGIN, JobAction.COMPLETE);
    JsonNode after = client.post(at(job) + "/cancel", "").expect(200).json();
    assertEquals("SUCCEEDED", after.get("state").stringValue());
    client.post(at(job) + "/pause", "").expect(409);
    client.post(at(job) + "/resume", "").expect(409);
  }

  @Test
  @Row("P49")
  void pausingFreesTheMachineAndResumingQueuesAgain() {
    JobId job = server.submit();
    server.move(job, JobAction.CLAIM, JobAction.BEGIN);
    JsonNode asked = client.post(at(job) + "/pause", "").expect(202).json();
    assertEquals("PAUSING", asked.at("/statusReason/code").stringValue());
    assertTrue(server.workers().told().contains("PAUSE " + job));
    client.post(at(job) + "/resume", "").expect(409);
    server.move(job, JobAction.PAUSE);
    client.post(at(job) + "/pause", "").expect(200);
    JsonNode resumed = client.post(at(job) + "/resume", "").expect(202).json();
    assertEquals("QUEUED", resumed.get("state").stringValue());
    assertEquals(job.text(), resumed.get("id").stringValue());
  }

  @Test
  @Row("P49")
  void aFailedJobGoesOnAsANewOneFromItsNewestCheckpoint() throws IOException {
    JobId job = server.submit();
    server.move(job, JobAction.CLAIM, JobAction.BEGIN, JobAction.FAIL);
    assertTrue(client.post(at(job) + "/resume", "").expect(409).text().contains("no checkpoint"));
    checkpoint(job, 120);
    checkpoint(job, 240);
    JsonNode made = client.post(at(job) + "/resume", "").expect(202).json();
    assertNotEquals(job.text(), made.get("id").stringValue());
    assertEquals(job.text(), made.at("/resumedFrom/job").stringValue());
    assertEquals(240, made.at("/resumedFrom/step").longValue());
    ContractClient.Reply again = client.post(at(job) + "/resume", "").expect(202);
    assertEquals(made.get("id"), again.json().get("id"));
    String named = "{\"checkpoint\":\"step-000000000120.safetensors\"}";
    JsonNode other = client.post(at(job) + "/resume", named).expect(202).json();
    assertEquals(120, other.at("/resumedFrom/step").longValue());
    client.post(at(job) + "/resume", "{\"checkpoint\":\"../../etc/passwd\"}").expect(409);
  }

  /** A job that has failed with a checkpoint of this step. */
  private JobId failedAt(int step) throws IOException {
    JobId job = server.submit();
    server.move(job, JobAction.CLAIM, JobAction.BEGIN, JobAction.FAIL);
    checkpoint(job, step);
    return job;
  }

  @Test
  void whereTheJobThatWentOnIsDeadTooAnotherGoesOn() throws IOException {
    JobId job = failedAt(120);
    JsonNode first = client.post(at(job) + "/resume", "").expect(202).json();
    client.post("/v1/jobs/" + first.get("id").stringValue() + "/cancel", "").expect(200);
    JsonNode second = client.post(at(job) + "/resume", "").expect(202).json();
    assertNotEquals(first.get("id"), second.get("id"));
    assertEquals("QUEUED", second.get("state").stringValue());
    JsonNode again = client.post(at(job) + "/resume", "").expect(202).json();
    assertEquals(second.get("id"), again.get("id"));
  }

  /** A training may take longer than a key is kept. */
  @Test
  void aDayLaterTheSameJobGoesOnStill() throws IOException {
    JobId job = failedAt(120);
    JsonNode made = client.post(at(job) + "/resume", "").expect(202).json();
    server.store().forgetKeys();
    JsonNode again = client.post(at(job) + "/resume", "").expect(202).json();
    assertEquals(made.get("id"), again.get("id"));
  }

  @Test
  void whatAQueuedJobGoesOnFromIsNotDeleted() throws IOException {
    JobId job = failedAt(120);
    JsonNode made = client.post(at(job) + "/resume", "").expect(202).json();
    String refused = client.send("DELETE", at(job), "").expect(409).text();
    assertTrue(refused.contains("goes on from this one"), refused);
    assertTrue(Files.exists(server.folders().of(job)));
    client.post("/v1/jobs/" + made.get("id").stringValue() + "/cancel", "").expect(200);
    client.send("DELETE", at(job), "").expect(204);
  }

  /** Retention or another client may delete what a page was made of. */
  @Test
  void aJobThatIsDeletedWhileItIsListedIsLeftOut() {
    JobId stays = server.submit();
    JobId goes = server.submit();
    client.post(at(goes) + "/cancel", "").expect(200);
    server.store().whenListed(() -> server.store().delete(goes));
    JsonNode listed = client.get("/v1/jobs?view=full").expect(200).json().get("jobs");
    assertEquals(1, listed.size());
    assertEquals(stays.text(), listed.at("/0/id").stringValue());
  }

  @Test
  void anErrorIsAnsweredAndTheServerGoesOn() {
    server
        .store()
        .whenListed(
            () -> {
              throw new StackOverflowError("as a deep one would");
            });
    assertEquals(500, client.get("/v1/jobs").status());
    server.store().whenListed(() -> {});
    client.get("/v1/jobs").expect(200);
  }

  @Test
  void aCloneHasTheChangesAndNothingElse() {
    JobId job = server.submit();
    JsonNode clone =
        client
            .post(
                at(job) + "/clone",
                "{\"changes\":{\"/precision/level\":\"O0\",\"/training/epochs\":3,"
                    + "\"/training/optimizer/learningRate\":0.5}}")
            .expect(202)
            .json();
    assertEquals("O0", clone.get("level").stringValue());
    assertEquals(3, clone.at("/specification/training/epochs").intValue());
    assertEquals(0.5, clone.at("/resolved/training/optimizer/learningRate").doubleValue());
    client.post(at(job) + "/clone", "{\"changes\":{\"/nothing\":1}}").expect(422);
    client.post(at(job) + "/clone", "{\"other\":1}").expect(422);
    assertEquals(
        "lenet5",
        client.post(at(job) + "/clone", "").expect(202).json().get("network").stringValue());
  }

  @Test
  void whatIsSaidOfAJobCanBeChanged() {
    JobId job = server.submit();
    String said =
        "{\"name\":\"mine\",\"labels\":{\"a\":\"b\"},\"notes\":\"x\\ny\",\"priority\":5,\"pinned\":true}";
    JsonNode changed = client.send("PATCH", at(job), said).expect(200).json();
    assertEquals("mine", changed.get("name").stringValue());
    assertEquals("b", changed.at("/labels/a").stringValue());
    assertEquals(5, changed.get("priority").intValue());
    assertFalse(client.send("PATCH", at(job), "{\"name\":null}").expect(200).json().has("name"));
    client.send("PATCH", at(job), "{\"state\":\"SUCCEEDED\"}").expect(422);
    for (String text : List.of("\ufb2c".repeat(60), "a\u2028b")) {
      String name = "{\"name\":\"" + text + "\"}";
      client.send("PATCH", at(job), name).expect(422);
    }
    client.send("PATCH", at(job), "{\"priority\":101}").expect(422);
    client.send("PATCH", at(job), "{\"priority\":1e308}").expect(422);
    client.send("PATCH", at(job), "{\"name\":\"a\\u001b[31m\"}").expect(422);
    client.send("PATCH", at(job), "").expect(400);
  }

  @Test
  @Row({"P26", "P45"})
  void onlyAJobThatIsOverCanBeDeletedAndIsGoneThen() throws IOException {
    JobId job = server.submit();
    checkpoint(job, 1);
    client.send("DELETE", at(job), "").expect(409);
    client.post(at(job) + "/cancel", "").expect(200);
    client.send("DELETE", at(job), "").expect(204);
    assertFalse(Files.exists(server.folders().of(job)));
    client.get(at(job)).expect(404);
    client.send("DELETE", at(job), "").expect(404);
    client.get(at(job) + "/events").expect(404);
  }

  @Test
  void whatHasNotChangedIsNotSentAgain() {
    JobId job = server.submit();
    String tag = client.get(at(job)).expect(200).header("ETag");
    client.get(at(job), "If-None-Match", tag).expect(304);
    client.send("PATCH", at(job), "{\"priority\":1}").expect(200);
    client.get(at(job), "If-None-Match", tag).expect(200);
    assertEquals(200, client.send("HEAD", at(job), "").status());
  }

  @Test
  @Row({"P50", "P51"})
  void listsArePagedAndFiltered() {
    List<JobId> jobs = List.of(server.submit(), server.submit(), server.submit());
    client.send("PATCH", at(jobs.getFirst()), "{\"labels\":{\"a\":\"b=c\"}}").expect(200);
    JsonNode first = client.get("/v1/jobs?limit=2&sort=oldest").expect(200).json();
    assertEquals(jobs.getFirst().text(), first.at("/jobs/0/id").stringValue());
    JsonNode second =
        client
            .get("/v1/jobs?limit=2&sort=oldest&next=" + first.get("next").stringValue())
            .expect(200)
            .json();
    assertEquals(jobs.getLast().text(), second.at("/jobs/0/id").stringValue());
    assertFalse(second.has("next"));
    assertEquals(1, client.get("/v1/jobs?label=a%3Db%3Dc").expect(200).json().get("jobs").size());
    client.post(at(jobs.getLast()) + "/cancel", "").expect(200);
    assertEquals(
        3,
        client.get("/v1/jobs?state=QUEUED&state=CANCELLED").expect(200).json().get("jobs").size());
    assertEquals(1, client.get("/v1/jobs?state=CANCELLED").expect(200).json().get("jobs").size());
    assertTrue(
        client.get("/v1/jobs?view=full").expect(200).json().at("/jobs/0").has("specification"));
    for (String wrong :
        List.of(
            "limit=0",
            "limit=-1",
            "limit=1000000000",
            "limit=x",
            "limit=1&limit=2",
            "limit[]=1",
            "sort=name",
            "state=x",
            "label=a",
            "level=O9",
            "x=1",
            "limit=1;sort=newest")) {
      client.get("/v1/jobs?" + wrong).expect(422);
    }
  }

  /** A line for each job, and one of means for each level. */
  private void assertTold(String comparison) throws IOException {
    List<String> lines =
        client.get(comparison, "Accept", "text/plain").expect(200).text().lines().toList();
    assertEquals(1 + 4 + 2, lines.size());
    assertEquals(
        List.of("O0", "1", "SUCCEEDED", "0.9000", "0.2500", "3.5000", "1234", "2.0", "3.0"),
        List.of(lines.get(1).split(" +")));
    assertEquals(
        List.of("O0", "mean", "0.9000", "0.2500", "3.5000", "1234", "2.0", "3.0"),
        List.of(lines.get(5).split(" +")));
    assertEquals(
        List.of("O2", "mean", "-", "-", "-", "-", "-", "-"), List.of(lines.get(6).split(" +")));
  }

  @Test
  void aComparisonMakesAJobForEachLevelAndSeed() throws IOException {
    String body =
        "{\"specification\":{\"network\":{\"name\":\"lenet5\"}},"
            + "\"levels\":[\"O0\",\"O2\"],\"seeds\":[1,2]}";
    ContractClient.Reply made =
        client.post("/v1/comparisons", body, "Idempotency-Key", "c").expect(202);
    assertEquals(4, made.json().get("rows").size());
    ContractClient.Reply again =
        client.post("/v1/comparisons", body, "Idempotency-Key", "c").expect(202);
    assertEquals(made.json(), again.json());
    assertEquals("true", again.header("Idempotency-Replayed"));
    JobId job = new JobId(made.json().at("/rows/0/job").stringValue());
    Files.createDirectories(server.folders().run(job));
    Files.writeString(
        server.folders().run(job).resolve("summary.json"),
        "{\"test_accuracy\": 0.9, \"step_ms_median\": 3.5, \"overflow_steps\": 2,"
            + " \"test_loss\": 0.25, \"samples_per_second\": 1234.4, \"peak_rss_bytes\": 3145728}");
    // It stays in the comparison, whatever labels it is given.
    client.send("PATCH", at(job), "{\"labels\":{\"team\":\"vision\"}}").expect(200);
    server.move(job, JobAction.CLAIM, JobAction.BEGIN, JobAction.COMPLETE);
    JsonNode table = client.get(made.header("Location")).expect(200).json();
    assertEquals(0.9, table.at("/rows/0/results/testAccuracy").doubleValue());
    assertEquals(0.9, table.at("/levels/0/results/testAccuracy").doubleValue());
    assertEquals(1, table.at("/levels/0/succeeded").intValue());
    assertTold(made.header("Location"));
    client.get("/v1/comparisons/" + "0".repeat(32)).expect(404);
    client.post("/v1/comparisons", body.replace("\"O2\"", "\"O9\"")).expect(422);
    JsonNode wrong =
        client.post("/v1/comparisons", body.replace("lenet5", "lenet6")).expect(422).json();
    assertEquals("/specification/network/name", wrong.at("/errors/0/pointer").stringValue());
    client.post("/v1/comparisons", body.replace("[1,2]", "[9223372036854775808]")).expect(422);
    client.post("/v1/comparisons", body.replace("[1,2]", "[1e308]")).expect(422);
    String many = body.replace("[1,2]", "[1,2,3,4,5,6]");
    client.post("/v1/comparisons", many).expect(429);
  }
}
