package dev.halfcell.rest.supervisor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.JobState;
import dev.halfcell.rest.job.StatusReason.Code;
import dev.halfcell.zoo.job.JobSpecification;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What happens to real workers, or to the files that they need; beside a sound one. */
@Tag("slow")
@Timeout(600)
final class RealWorkerFaultsTest {
  private static final JobSpecification LONG = Rig.tiny(600).with("/checkpoint/everySteps", 100);
  private static final JobSpecification ENDLESS =
      Rig.tiny(10_000_000).with("/checkpoint/everySteps", 50).with("/retries", 0);
  private static final int STOP = 19;

  @TempDir private Path folder;

  /** Real workers that are told more. */
  private static WorkerCommand with(String... options) {
    return socket -> {
      List<String> command = new ArrayList<>(Rig.real().of(socket));
      command.addAll(command.indexOf("-cp"), List.of(options));
      return command;
    };
  }

  private Rig rig(WorkerCommand command) {
    return new Rig(folder, Timing.usual().silence(Duration.ofSeconds(4)), command);
  }

  private static void assertSound(Rig rig) {
    JobId id = rig.submit(Rig.tiny(20));
    assertEquals(JobState.SUCCEEDED, rig.awaitEnd(id).state(), () -> rig.log(id));
  }

  private static String detail(Job job) {
    return job.failure().orElseThrow().detail() + "\n" + job.failure().orElseThrow().logTail();
  }

  private void assertSameBytes(Rig rig, JobId id) throws IOException {
    Job job = rig.awaitEnd(id);
    assertEquals(JobState.SUCCEEDED, job.state(), () -> job + rig.log(id));
    assertArrayEquals(Rig.modelOf(LONG, folder.resolve("own")), rig.model(id));
    assertEquals(0, Rig.processes(id));
  }

  @Test
  void outOfJavaHeap() {
    try (Rig rig = rig(with("-Xmx12m", "-Xms12m"))) {
      JobId id = rig.submit(ENDLESS);
      Job job = rig.awaitEnd(id);
      System.out.println("heap: " + job.summary().statusReason());
      assertEquals(JobState.FAILED, job.state());
      assertEquals(Code.OUT_OF_MEMORY, job.summary().statusReason().code());
      assertTrue(
          detail(job).contains("OutOfMemoryError") || detail(job).contains("memory"), detail(job));
      assertEquals(0, Rig.processes(id));
    }
  }

  @Test
  void outOfNativeMemory() {
    try (Rig rig =
        rig(
            with(
                "-Dorg.bytedeco.javacpp.maxPhysicalBytes=1m",
                "-Dorg.bytedeco.javacpp.maxBytes=1m"))) {
      JobId id = rig.submit(ENDLESS.with("/training/batchSize", 4096));
      Job job =
          rig.await(id, now -> now.state().terminal() || now.state() == JobState.RUNNING, "x");
      System.out.println("native: " + job.summary().statusReason());
      rig.cancel(id);
      rig.awaitEnd(id);
    }
  }

  @Test
  void overItsMemory() {
    try (Rig rig = rig(Rig.real())) {
      JobId id = rig.submit(ENDLESS.with("/resources/memoryLimit", 60_000_000));
      Job job = rig.awaitEnd(id);
      assertEquals(Code.OUT_OF_MEMORY, job.summary().statusReason().code());
      assertTrue(detail(job).contains("(60000000 bytes)"), detail(job));
      assertSound(rig);
    }
  }

  @Test
  void stopped() throws IOException {
    try (Rig rig = rig(Rig.real())) {
      JobId id = rig.submit(LONG);
      rig.awaitStep(id, 1);
      new Signals().toProcess(rig.pid(id), STOP);
      Job job = rig.await(id, now -> now.attempts().size() == 2, "a second attempt");
      assertEquals(Optional.of(Code.WORKER_LOST), job.attempts().getFirst().reason());
      assertSameBytes(rig, id);
    }
  }

  @Test
  void terminatedBySomebodyElse() throws IOException {
    try (Rig rig = rig(Rig.real())) {
      JobId id = rig.submit(LONG);
      rig.awaitStep(id, 1);
      new Signals().toProcess(rig.pid(id), Signals.TERM);
      Job job = rig.await(id, now -> now.attempts().size() == 2, "a second attempt");
      assertTrue(job.attempts().getFirst().exit().orElseThrow().graceful());
      assertSameBytes(rig, id);
    }
  }

  @Test
  void newestCheckpointDamaged() throws IOException {
    try (Rig rig = rig(Rig.real())) {
      JobId id = rig.submit(LONG);
      rig.awaitStep(id, 250);
      rig.pause(id);
      rig.await(id, JobState.PAUSED);
      List<Path> saved = files(rig.settings.folders().run(id).resolve("checkpoints"));
      assertTrue(saved.size() > 1, saved::toString);
      byte[] bytes = Files.readAllBytes(saved.getLast());
      bytes[bytes.length / 2] ^= 1;
      Files.write(saved.getLast(), bytes);
      rig.resume(id);
      assertSameBytes(rig, id);
      String name = String.valueOf(saved.getLast().getFileName());
      assertTrue(
          rig.events(id).stream()
              .anyMatch(
                  event ->
                      event.data().contains(name)
                          && event.kind() == dev.halfcell.rest.job.EventKind.NOTICE),
          () -> rig.events(id).toString());
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }

  @Test
  void artifactFolderGone() throws IOException {
    try (Rig rig = rig(Rig.real())) {
      JobId id = rig.submit(ENDLESS);
      rig.awaitStep(id, 100);
      Path run = rig.settings.folders().run(id);
      Files.move(run, run.resolveSibling("away"));
      Job job = rig.awaitEnd(id);
      System.out.println("folder gone: " + job.summary().statusReason());
      assertEquals(JobState.FAILED, job.state());
      assertTrue(detail(job).contains("checkpoints"), detail(job));
      assertTrue(!job.failure().orElseThrow().detail().contains(folder.toString()), detail(job));
      assertSound(rig);
    }
  }

  @Test
  void dataSetGone() throws IOException {
    Path data = Files.createDirectory(folder.resolve("data"));
    WorkerSettings settings =
        Rig.settings(folder, Timing.usual(), Rig.real(), Optional.of(data.toString()));
    try (Rig rig = new Rig(Rig.store(folder), settings)) {
      delete(data);
      JobId id =
          rig.submit(
              JobSpecification.of("lenet5").with("/training/steps", 10).with("/device", "cpu"));
      Job job = rig.awaitEnd(id);
      System.out.println("data gone: " + job.summary().statusReason());
      assertEquals(Code.TRAINING_FAILED, job.summary().statusReason().code());
      assertEquals("data", job.failure().orElseThrow().type());
      assertTrue(job.failure().orElseThrow().cell().isEmpty());
      assertTrue(!job.failure().orElseThrow().detail().contains(data.toString()), detail(job));
      assertSound(rig);
    }
  }

  @Test
  void workerWithoutItsClasses() {
    try (Rig rig =
        rig(socket -> List.of("setsid", java(), "-cp", "/nonexistent", "no.Such", "x"))) {
      Job job = rig.awaitEnd(rig.submit(ENDLESS));
      assertEquals(Code.WORKERS_KEEP_DYING, job.summary().statusReason().code());
      assertTrue(detail(job).contains("exit code 1"), detail(job));
      assertTrue(detail(job).contains("no.Such"), detail(job));
    }
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }
}
