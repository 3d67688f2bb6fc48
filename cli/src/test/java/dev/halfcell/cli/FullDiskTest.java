package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The real server where its disk fills up or cannot be written, and after that. */
@Tag("slow")
@Timeout(600)
final class FullDiskTest {
  @TempDir private Path folder;
  private SmallDisk disk;
  private String settings = "";
  private Path data;
  private final List<String> accepted = new ArrayList<>();

  @BeforeEach
  void mount() throws Exception {
    disk = SmallDisk.mount(Files.createDirectory(folder.resolve("disk")), "32m");
    settings = TinyJobs.settings(folder);
    data = disk.folder().resolve("service");
  }

  @AfterEach
  void unmount() throws Exception {
    if (disk != null) {
      disk.close();
    }
  }

  private Set<String> checkpoints(String job) throws IOException {
    Path run = data.resolve("jobs").resolve(job.substring(0, 2)).resolve(job).resolve("run");
    try (Stream<Path> files = Files.list(run.resolve("checkpoints"))) {
      Set<String> names = new TreeSet<>();
      files.map(file -> String.valueOf(file.getFileName())).forEach(names::add);
      return names;
    }
  }

  private String accept(Served server, String specification, String key) throws Exception {
    String id = TinyJobs.submit(server, specification, key);
    accepted.add(id);
    return id;
  }

  @Test
  void aFullDiskLosesNothingAndNeedsNoRestart() throws Exception {
    try (Served server = Served.start(data, settings)) {
      String running = accept(server, TinyJobs.ENDLESS, "running");
      server.await(running, job -> TinyJobs.step(job) > 200);
      disk.fill();
      String refused = submitUntilRefused(server);
      server.assertReads(accepted);
      Thread.sleep(3_000); // checkpoints are due meanwhile
      assertFalse(checkpoints(running).isEmpty(), "the last checkpoint is gone");
      server.assertReads(accepted);
      server.submit(TinyJobs.SHORT, refused).unavailable();
      disk.free();
      accept(server, TinyJobs.SHORT, refused);
      String next = goesOn(server, running);
      for (String id : List.copyOf(accepted)) {
        if (!id.equals(running) && !id.equals(next)) {
          server.post("/v1/jobs/" + id + "/cancel", "");
        }
      }
      server.post("/v1/jobs/" + next + "/cancel", "");
      String last = accept(server, TinyJobs.SHORT, "last");
      JsonNode done = server.await(last, "SUCCEEDED", "FAILED");
      assertEquals("SUCCEEDED", done.get("state").stringValue(), done::toString);
      server.assertReads(accepted);
      assertEquals(Set.copyOf(accepted), Set.copyOf(server.jobs()));
      assertEquals(0, server.end());
    }
  }

  /** The log of the database has room that it took before; when that is used up, none is taken. */
  private String submitUntilRefused(Served server) throws Exception {
    for (int i = 0; i < 300; i++) {
      Served.Answer answer = server.submit(TinyJobs.SHORT, "full" + i);
      if (answer.status() != 202) {
        String detail = answer.unavailable();
        assertTrue(detail.contains("room for it on the disk"), detail);
        return "full" + i;
      }
      accepted.add(answer.json().get("id").stringValue());
    }
    throw new AssertionError("the disk is not full");
  }

  /** It trains on, or has failed for this reason and can be resumed from its last checkpoint. */
  private String goesOn(Served server, String id) throws Exception {
    long step = TinyJobs.step(server.job(id));
    JsonNode job =
        server.await(
            id,
            now -> now.get("state").stringValue().equals("FAILED") || TinyJobs.step(now) > step);
    System.out.println("after the disk was full: " + job.get("statusReason"));
    if (!job.get("state").stringValue().equals("FAILED")) {
      return id;
    }
    assertTrue(
        job.at("/statusReason/message").stringValue().contains("disk that is full"), job::toString);
    JsonNode resumed = server.post("/v1/jobs/" + id + "/resume", "").expect(202).json();
    String next = resumed.get("id").stringValue();
    accepted.add(next);
    long from = resumed.at("/resumedFrom/step").asLong(0);
    assertTrue(from > 0, resumed::toString);
    server.await(next, now -> TinyJobs.step(now) > from);
    return next;
  }

  @Test
  void aFolderThatCannotBeWrittenIsSaidAndNeedsNoRestart() throws Exception {
    try (Served server = Served.start(data, settings)) {
      accept(server, TinyJobs.SHORT, "before");
      server.await(accepted.getFirst(), "SUCCEEDED");
      SmallDisk.readOnly(data, true);
      Served.Answer answer = server.submit(TinyJobs.SHORT, "meanwhile");
      if (answer.status() == 202) {
        String id = answer.json().get("id").stringValue();
        accepted.add(id);
        JsonNode job = server.await(id, "FAILED");
        String said = job.at("/statusReason/message").stringValue();
        assertTrue(said.contains("Read-only file system"), said);
      } else {
        answer.unavailable();
      }
      server.assertReads(accepted);
      SmallDisk.readOnly(data, false);
      JsonNode job = server.await(accept(server, TinyJobs.SHORT, "after"), "SUCCEEDED", "FAILED");
      assertEquals("SUCCEEDED", job.get("state").stringValue(), job::toString);
      server.assertReads(accepted);
      assertEquals(0, server.end());
    }
  }
}
