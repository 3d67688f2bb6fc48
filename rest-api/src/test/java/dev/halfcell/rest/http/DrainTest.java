package dev.halfcell.rest.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.job.JobAction;
import dev.halfcell.rest.job.JobId;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a server answers from SIGTERM to its end. */
@Timeout(60)
class DrainTest {
  private static final String CLOSING = "event: closing";

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

  private BufferedReader open(String path, String accept) {
    return new BufferedReader(
        new InputStreamReader(client.stream(path, "Accept", accept), StandardCharsets.UTF_8));
  }

  private BufferedReader follow(JobId job) {
    return open("/v1/jobs/" + job + "/events", "text/event-stream");
  }

  private static List<String> rest(BufferedReader in) throws IOException {
    List<String> lines = new ArrayList<>();
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      lines.add(line);
    }
    return lines;
  }

  @Row("P57")
  @Test
  void whileItEndsItTakesNoJobAndAnswersAllElse() throws Exception {
    JobId job = server.submit();
    CompletableFuture<Void> asked = new CompletableFuture<>();
    server
        .workers()
        .whileDraining(
            () -> {
              try {
                ask(job);
                asked.complete(null);
              } catch (Throwable failed) {
                asked.completeExceptionally(failed);
              }
            });
    server.stop();
    asked.get(1, TimeUnit.SECONDS);
  }

  private void ask(JobId job) {
    ContractClient.Reply refused =
        client.post("/v1/jobs", "{\"network\": {\"name\": \"lenet5\"}}").expect(503);
    assertTrue(Integer.parseInt(refused.header("Retry-After")) > 0);
    assertEquals("The server ends; send it again to the next one.", detail(refused));
    client.post("/v1/jobs/" + job + "/clone", "{}").expect(503);
    client.get("/readyz").expect(503);
    client.get("/healthz").expect(200);
    client.get("/metrics").expect(200);
    assertEquals(job.text(), client.get("/v1/jobs/" + job).expect(200).json().at("/id").asString());
    assertEquals(1, client.get("/v1/jobs").expect(200).json().get("jobs").size());
    client.post("/v1/jobs/" + job + "/cancel", "").expect(200);
  }

  private static String detail(ContractClient.Reply reply) {
    return reply.json().get("detail").stringValue();
  }

  @Test
  void aStreamIsToldAllThatHappensMeanwhileAndThenThatItCloses() throws Exception {
    JobId job = server.submit();
    server.move(job, JobAction.CLAIM, JobAction.BEGIN);
    try (BufferedReader in = follow(job)) {
      server.workers().whileDraining(() -> server.move(job, JobAction.LOSE, JobAction.QUEUE));
      long before = System.nanoTime();
      server.stop();
      assertTrue(System.nanoTime() - before < 3_000_000_000L, "a stream holds its server up");
      List<String> all = rest(in);
      assertTrue(all.contains("id: 5"), all::toString);
      assertEquals(
          List.of(CLOSING, "retry: 1000", "data: {\"reason\":\"SERVER_ENDS\"}", ""),
          all.subList(all.size() - 4, all.size()));
      assertFalse(all.contains("event: end"), "the job has not ended");
    }
  }

  @Test
  void aStreamWhoseJobEndsMeanwhileEndsAsAlways() throws Exception {
    JobId job = server.submit();
    server.move(job, JobAction.CLAIM, JobAction.BEGIN);
    try (BufferedReader in = follow(job)) {
      server.workers().whileDraining(() -> server.move(job, JobAction.COMPLETE));
      server.stop();
      List<String> all = rest(in);
      assertTrue(all.contains("event: end"), all::toString);
      assertFalse(all.contains(CLOSING), all::toString);
    }
  }

  @Test
  void whoWaitsForThingsToHappenIsAnswered() throws Exception {
    JobId job = server.submit();
    CompletableFuture<ContractClient.Reply> waiting =
        CompletableFuture.supplyAsync(
            () -> client.get("/v1/jobs/" + job + "/events?after=1&wait=20"));
    Thread.sleep(300);
    long before = System.nanoTime();
    server.stop();
    assertTrue(System.nanoTime() - before < 5_000_000_000L, "who waits holds the server up");
    assertEquals(0, waiting.get(1, TimeUnit.SECONDS).expect(200).json().get("events").size());
  }

  @Test
  void aLogThatIsFollowedBreaksOffAndDoesNotEnd() throws Exception {
    JobId job = server.submit();
    Files.createDirectories(server.folders().of(job));
    Files.writeString(server.folders().log(job), "one line\n");
    try (BufferedReader in = open("/v1/jobs/" + job + "/logs?follow=true", "text/plain")) {
      assertEquals("one line", in.readLine());
      server.stop();
      boolean broken = false;
      try {
        assertNull(in.readLine());
      } catch (IOException e) {
        broken = true;
      }
      assertTrue(broken, "a part of a log looks like all of it");
    }
  }
}
