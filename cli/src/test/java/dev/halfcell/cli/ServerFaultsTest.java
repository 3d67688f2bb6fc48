package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What happens to a real server beside its being killed: what was accepted is trained further. */
@Tag("slow")
@Timeout(600)
final class ServerFaultsTest {
  @TempDir private Path folder;
  private String settings = "";
  private Path data = Path.of("");

  @BeforeEach
  void write() throws IOException {
    settings = TinyJobs.settings(folder);
    data = folder.resolve("service");
  }

  /** The next server trains it further, from a checkpoint. */
  private void assertGoesOn(String id) throws Exception {
    try (Served next = Served.start(data, settings)) {
      JsonNode before = next.job(id);
      JsonNode job =
          next.await(
              id,
              now ->
                  now.get("state").stringValue().equals("RUNNING")
                      && TinyJobs.step(now) > TinyJobs.step(before));
      JsonNode attempts = job.get("attempts");
      assertTrue(attempts.size() > 1, job::toString);
      assertTrue(attempts.get(attempts.size() - 1).get("fromStep").asLong(0) > 0, job::toString);
      next.assertReads(List.of(id));
      next.post("/v1/jobs/" + id + "/cancel?wait=20", "").expect(200);
      assertEquals(0, next.end());
    }
  }

  @Test
  void killedWhileItDrains() throws Exception {
    String id;
    try (Served server = Served.start(data, settings)) {
      id = TinyJobs.running(server, 100);
      server.terminate();
      Thread.sleep(100);
      server.kill();
    }
    assertGoesOn(id);
  }

  @Test
  void killedWhileItRecovers() throws Exception {
    String id;
    try (Served server = Served.start(data, settings)) {
      id = TinyJobs.running(server, 100);
      server.kill();
    }
    Random random = new Random(5);
    for (int life = 0; life < 5; life++) {
      Process process =
          new ProcessBuilder(Served.command(List.of(), "--port=0", "--data=" + data, settings))
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("lives.txt").toFile())
              .start();
      Thread.sleep(200 + random.nextInt(2_000));
      process.destroyForcibly().waitFor();
    }
    assertGoesOn(id);
  }

  @Test
  void stoppedForAWhile() throws Exception {
    try (Served server = Served.start(data, settings)) {
      String id = TinyJobs.running(server, 100);
      signal("STOP", server.pid());
      Thread.sleep(30_000); // longer than a lease
      signal("CONT", server.pid());
      long step = TinyJobs.step(server.job(id));
      JsonNode job = server.await(id, now -> TinyJobs.step(now) > step);
      assertEquals("RUNNING", job.get("state").stringValue());
      server.post("/v1/jobs/" + id + "/cancel?wait=20", "").expect(200);
      assertEquals(0, server.end());
    }
  }

  /** It is taken for dead, and its job goes on in another one. */
  @Test
  void aWorkerIsStoppedForAWhile() throws Exception {
    try (Served server = Served.start(data, settings)) {
      String id = TinyJobs.running(server, 100);
      ProcessHandle worker = WorkerHandles.of(data).getFirst();
      signal("STOP", worker.pid());
      Thread.sleep(30_000);
      if (worker.isAlive()) {
        signal("CONT", worker.pid());
      }
      JsonNode job =
          server.await(id, now -> now.get("attempts").size() == 2 && TinyJobs.step(now) > 0);
      assertNotEquals(worker.pid(), job.at("/attempts/1/pid").asLong(), job::toString);
      long step = TinyJobs.step(job);
      server.await(id, now -> TinyJobs.step(now) > step);
      server.assertReads(List.of(id));
      server.post("/v1/jobs/" + id + "/cancel?wait=20", "").expect(200);
      assertEquals(0, server.end());
      assertEquals(List.of(), WorkerHandles.of(data));
    }
  }

  private static void signal(String name, long pid) throws IOException, InterruptedException {
    assertEquals(0, new ProcessBuilder("kill", "-" + name, "" + pid).start().waitFor());
  }
}
