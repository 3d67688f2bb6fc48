package dev.halfcell.rest.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.client.ClientSettings;
import dev.halfcell.rest.client.HalfCellClient;
import dev.halfcell.rest.job.JobAction;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.service.RefusedException;
import dev.halfcell.rest.worker.FromWorker.Diagnosed;
import dev.halfcell.rest.worker.StepDiagnoses;
import dev.halfcell.rest.worker.ToWorker.Diagnose;
import dev.halfcell.rest.worker.ToWorker.Task;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Steps that are run again, where none runs. */
@Timeout(60)
final class ReplayTest {
  @TempDir private Path root;
  private final BlockingQueue<Task<?>> asked = new LinkedBlockingQueue<>();
  private TestServer server;

  @BeforeEach
  void start() {
    server = TestServer.start(root);
    server.workers().perform((_, what, _, _) -> answer(what));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Diagnosed answer(Task<?> what) {
    asked.add(what);
    return new Diagnosed(StepDiagnoses.OVERFLOWED);
  }

  private static String path(Object job) {
    return "/v1/jobs/" + job + "/diagnosis";
  }

  private void createRun(JobId job) {
    try {
      var _ = Files.createDirectories(server.folders().run(job));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private JobId over(JobAction end) {
    JobId job = server.submit();
    server.move(job, JobAction.CLAIM, JobAction.BEGIN, end);
    createRun(job);
    return job;
  }

  @Test
  void whatBecameOfTheStepIsTold() {
    for (JobAction end : List.of(JobAction.COMPLETE, JobAction.FAIL)) {
      JobId job = over(end);
      JsonNode said = server.client().post(path(job), "").expect(200).json();
      assertEquals(job.text(), said.get("job").stringValue());
      assertEquals(17, said.get("step").longValue());
      assertEquals(65536, said.get("scale").doubleValue());
      assertEquals("Conv2d", said.at("/offender/op").stringValue());
      assertEquals("/conv1", said.at("/demoted/0").stringValue());
      assertEquals(256, said.get("bestScale").doubleValue());
      assertEquals(3, said.at("/gradients/0/flushed").longValue());
      assertEquals(5, said.at("/gradients/0/counts/2").longValue());
      String run = server.folders().run(job).toAbsolutePath().toString();
      assertEquals(new Diagnose(run), asked.remove());
    }
  }

  @Test
  void onlyAStepOfAJobThatIsOverIsRun() {
    JobId job = server.submit();
    for (JobAction next : List.of(JobAction.CLAIM, JobAction.BEGIN, JobAction.FAIL)) {
      server.client().post(path(job), "{}").expect(409);
      server.move(job, next);
    }
    createRun(job);
    server.client().post(path(job), "{}").expect(200);
    server.client().post(path("0".repeat(32)), "{}").expect(404);
    server.client().post(path(job), "{\"step\": 1}").expect(422);
    assertEquals(1, asked.size());
  }

  @Test
  void aJobThatWasNeverRunHasNothingToRunAStepOn() {
    JobId job = server.submit();
    server.move(job, JobAction.ASK_CANCEL);
    String text = server.client().post(path(job), "").expect(409).text();
    assertTrue(text.contains("nothing that a step could be run on"), text);
    assertTrue(asked.isEmpty());
  }

  @Test
  void aJobThatIsDeletedMeanwhileIsMissing() {
    JobId job = over(JobAction.FAIL);
    server
        .workers()
        .perform(
            (_, _, _, _) -> {
              server.client().send("DELETE", "/v1/jobs/" + job, "").expect(204);
              throw RefusedException.unavailable("as a test has it");
            });
    server.client().post(path(job), "").expect(404);
  }

  @Test
  void whatTheProcessRefusesIsRefused() {
    JobId job = over(JobAction.COMPLETE);
    server
        .workers()
        .perform(
            (_, _, _, _) -> {
              throw RefusedException.conflict("as a test has it");
            });
    String text = server.client().post(path(job), "").expect(409).text();
    assertTrue(text.contains("as a test has it"), text);
  }

  @Test
  void oneIsRunAtATime() throws Exception {
    JobId job = over(JobAction.COMPLETE);
    CountDownLatch go = new CountDownLatch(1);
    server
        .workers()
        .perform(
            (_, what, _, _) -> {
              Diagnosed said = answer(what);
              await(go);
              return said;
            });
    try (ExecutorService other = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<ContractClient.Reply> coming = other.submit(() -> server.client().post(path(job), ""));
      asked.take();
      ContractClient.Reply second = server.client().post(path(job), "").expect(503);
      assertFalse(second.header("Retry-After").isEmpty());
      go.countDown();
      coming.get().expect(200);
    }
    server.client().post(path(job), "").expect(200);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(30, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void theClientReadsAllOfIt() {
    JobId job = over(JobAction.COMPLETE);
    ClientSettings settings =
        ClientSettings.at("http://127.0.0.1:" + server.port()).withPatience(Duration.ofSeconds(1));
    try (HalfCellClient client = new HalfCellClient(settings)) {
      var said = client.diagnoseStep(job.text());
      assertEquals(job.text(), said.job());
      assertEquals(Optional.of(17L), said.step());
      assertEquals("backward", said.offender().orElseThrow().direction());
      assertEquals(Optional.of(256.0), said.bestScale());
      assertEquals(List.of(1L, 0L, 5L), said.gradients().getFirst().counts());
      assertEquals(-30, said.gradients().getFirst().leastExponent());
    }
  }
}
