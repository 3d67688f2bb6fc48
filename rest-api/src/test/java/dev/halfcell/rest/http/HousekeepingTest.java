package dev.halfcell.rest.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.Housekeeping;
import dev.halfcell.rest.job.JobAction;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.service.Quotas;
import dev.halfcell.rest.service.Retention;
import dev.halfcell.rest.tracing.Tracing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What clients are told of quotas and of the time that jobs are kept for. */
@Timeout(120)
final class HousekeepingTest {
  private static final String LENET = "{\"network\": {\"name\": \"lenet5\"}}";

  @TempDir private Path folder;

  private TestServer server(Retention retention, Quotas.Limits quotas) {
    return TestServer.start(
        folder, new Housekeeping(retention, quotas, AccessLog.none(Tracing.none())));
  }

  @Test
  void whoseFilesHoldTooMuchIsToldTheFiguresAndRetriesAreAnswered() throws IOException {
    Quotas.Limits limits =
        new Quotas.Limits(Optional.empty(), Optional.of(1000L), Optional.empty());
    try (TestServer server = server(Retention.forEver(), limits)) {
      ContractClient client = server.client();
      String first =
          client
              .post("/v1/jobs", LENET, "Idempotency-Key", "k")
              .expect(202)
              .json()
              .get("id")
              .stringValue();
      JobId job = new JobId(first);
      Files.createDirectories(server.folders().run(job));
      Files.write(server.folders().run(job).resolve("model.safetensors"), new byte[2000]);
      ContractClient.Reply refused = client.post("/v1/jobs", LENET);
      while (refused.status() == 202) { // figures by which jobs are taken may be seconds old
        client.post(refused.header("Location") + "/cancel", "").expect(200);
        pause();
        refused = client.post("/v1/jobs", LENET);
      }
      refused.expect(429);
      assertFalse(refused.header("Retry-After").isEmpty());
      assertTrue(refused.text().contains("2000 bytes"), refused.text());
      assertTrue(refused.text().contains("1000 bytes"), refused.text());
      client.post("/v1/jobs/" + job + "/clone", "{}").expect(429);
      assertEquals(
          first,
          client
              .post("/v1/jobs", LENET, "Idempotency-Key", "k")
              .expect(202)
              .json()
              .get("id")
              .stringValue());
    }
  }

  private static void pause() {
    try {
      Thread.sleep(200);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aTrainingOfTooManyOperationsIsRefusedWithTheFigures() {
    Quotas.Limits limits = new Quotas.Limits(Optional.empty(), Optional.empty(), Optional.of(1e9));
    try (TestServer server = server(Retention.forEver(), limits)) {
      ContractClient client = server.client();
      for (String path : new String[] {"/v1/jobs", "/v1/jobs?dryRun=true"}) {
        JsonNode problem = client.post(path, LENET).expect(422).json();
        assertEquals("/training", problem.at("/errors/0/pointer").stringValue());
        assertTrue(problem.get("detail").stringValue().contains("1.00e+09"), problem::toString);
      }
      client
          .post("/v1/jobs", "{\"network\": {\"name\": \"lenet5\"}, \"training\": {\"steps\": 1}}")
          .expect(202);
    }
  }

  @Test
  void aJobSaysWhenItExpiresUnlessItIsPinned() {
    Retention retention = new Retention(Optional.of(Duration.ofDays(30)), Optional.empty());
    try (TestServer server = server(retention, Quotas.Limits.none())) {
      ContractClient client = server.client();
      JobId job = server.submit();
      String path = "/v1/jobs/" + job;
      assertFalse(client.get(path).json().has("expiresAt"));
      server.move(job, JobAction.CLAIM, JobAction.BEGIN, JobAction.COMPLETE);
      JsonNode over = client.get(path).json();
      assertEquals(
          Instant.parse(over.get("endedAt").stringValue()).plus(Duration.ofDays(30)),
          Instant.parse(over.get("expiresAt").stringValue()));
      assertTrue(client.get("/v1/jobs").json().at("/jobs/0").has("expiresAt"));
      client.send("PATCH", path, "{\"pinned\": true}").expect(200);
      assertFalse(client.get(path).json().has("expiresAt"));
    }
  }
}
