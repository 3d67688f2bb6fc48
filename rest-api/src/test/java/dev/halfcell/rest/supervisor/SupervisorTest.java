package dev.halfcell.rest.supervisor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.job.Attempt;
import dev.halfcell.rest.job.EventKind;
import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.JobState;
import dev.halfcell.rest.job.Origin;
import dev.halfcell.rest.job.StatusReason.Code;
import dev.halfcell.zoo.data.FashionMnist;
import dev.halfcell.zoo.job.JobSpecification;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs from the queue to their end, by real workers. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("process")
final class SupervisorTest {
  /** So many steps that something can be done to a worker before it has taken all. */
  private static final JobSpecification LONG = small(600).with("/checkpoint/everySteps", 150);

  private static final JobSpecification ENDLESS = small(10_000_000);

  @TempDir private Path folder;

  private byte[] expected = new byte[0];

  /** On AVX2 alone a step of more samples takes half as long again, and here are many of them. */
  private static JobSpecification small(int steps) {
    return Rig.tiny(steps).with("/training/batchSize", 16);
  }

  @BeforeAll
  void train(@TempDir Path own) throws IOException {
    expected = Rig.modelOf(LONG, own);
  }

  @Test
  void aJobIsTrainedToTheSameBytesAsInThisProcess() throws IOException {
    try (Rig rig = new Rig(folder, Timing.usual(), WorkerCommand.ofThisProgram())) {
      JobId id = rig.submit(Rig.tiny(20));
      Job job = rig.awaitEnd(id);
      assertEquals(JobState.SUCCEEDED, job.state(), () -> job + rig.log(id));
      assertEquals(Code.COMPLETED, job.summary().statusReason().code());
      assertEquals(List.of("STARTING", "RUNNING", "SUCCEEDED"), rig.states(id));
      assertEquals(20, job.summary().progress().orElseThrow().step());
      assertEquals(1, job.summary().progress().orElseThrow().fraction());
      assertTrue(job.summary().metrics().containsKey("loss"), () -> job.summary().toString());
      assertEquals(0, job.exit().orElseThrow().code().orElseThrow());
      assertEquals(
          1, rig.events(id).stream().filter(e -> e.kind() == EventKind.CHECKPOINT).count());
      assertTrue(rig.events(id).stream().anyMatch(e -> e.kind() == EventKind.STEP));
      assertArrayEquals(Rig.modelOf(Rig.tiny(20), folder.resolve("own")), rig.model(id));
      assertEquals(0, Rig.processes(id));
    }
  }

  /** Data that is made is looked for nowhere, wherever the server has that of other jobs. */
  @Test
  void aJobOnSyntheticDataNeedsNoneOfTheServer() {
    var settings =
        Rig.settings(folder, Timing.usual(), Rig.real(), Optional.of(FashionMnist.EMBEDDED));
    try (Rig rig = new Rig(Rig.store(folder), settings)) {
      JobId id = rig.submit(LONG);
      rig.awaitStep(id, 1);
      rig.pause(id);
      rig.await(id, JobState.PAUSED);
      rig.resume(id);
      assertEquals(JobState.SUCCEEDED, rig.awaitEnd(id).state(), () -> rig.log(id));
    }
  }

  @Test
  void aCancelledJobEndsWithItsStateSaved() throws IOException {
    try (Rig rig = new Rig(folder)) {
      JobId id = rig.submit(ENDLESS.with("/stopGraceSeconds", 60)); // however busy the machine is
      rig.awaitStep(id, 1);
      rig.cancel(id);
      Job job = rig.awaitEnd(id);
      assertEquals(JobState.CANCELLED, job.state());
      assertEquals(Code.CANCELLED_BY_REQUEST, job.summary().statusReason().code());
      assertTrue(job.failure().isEmpty());
      assertTrue(job.exit().orElseThrow().graceful(), () -> job + rig.log(id));
      assertTrue(Files.isDirectory(rig.settings.folders().run(id).resolve("checkpoints")));
      assertEquals(0, Rig.processes(id));
    }
  }

  @Tag("Kubeflow-trainer-1904")
  @Test
  void aPausedJobGoesOnToTheSameBytesAndFreesTheMachineMeanwhile() throws IOException {
    try (Rig rig = new Rig(folder)) {
      JobId id = rig.submit(LONG);
      rig.awaitStep(id, 1);
      rig.pause(id);
      Job paused = rig.await(id, JobState.PAUSED);
      assertEquals(Code.PAUSED_BY_REQUEST, paused.summary().statusReason().code());
      assertEquals(0, Rig.processes(id));
      rig.resume(id);
      Job job = rig.awaitEnd(id);
      assertEquals(JobState.SUCCEEDED, job.state(), () -> job + rig.log(id));
      assertNothingWasRedone(paused, job);
      assertArrayEquals(expected, rig.model(id));
    }
  }

  /** The first of them, though it is the older one: somebody has raised the other's priority. */
  @Test
  void aJobOfAHigherPriorityTakesAPlaceAndWhoseItWasGoesOnToTheSameBytes() throws IOException {
    try (Rig rig = new Rig(folder)) {
      JobId first = rig.submit(LONG);
      JobId raised = rig.submit(ENDLESS);
      rig.prioritize(raised, 9);
      rig.awaitStep(first, 1);
      rig.awaitStep(raised, 1);
      JobId high = rig.submit(Rig.tiny(20));
      assertEquals(JobState.QUEUED, rig.job(high).state(), "both places are taken");
      rig.prioritize(high, 5);
      assertEquals(JobState.SUCCEEDED, rig.awaitEnd(high).state(), () -> rig.log(high));
      Job job = rig.awaitEnd(first);
      assertEquals(JobState.SUCCEEDED, job.state(), () -> job + rig.log(first));
      assertEquals(Optional.of(Code.PREEMPTED), job.attempts().getFirst().reason());
      assertTrue(job.attempts().getFirst().exit().orElseThrow().graceful());
      assertEquals(2, job.attempts().size());
      assertArrayEquals(expected, rig.model(first));
      assertEquals(1, rig.job(raised).attempts().size());
      assertEquals(JobState.RUNNING, rig.job(raised).state());
    }
  }

  private static void assertNothingWasRedone(Job stopped, Job job) {
    Attempt second = job.attempts().get(1);
    assertEquals(
        stopped.summary().progress().orElseThrow().step(), second.fromStep().orElseThrow());
  }

  /** As where servers share them and one of them has its file system unmounted. */
  @Test
  void aJobWhoseFilesAreNotThereIsGivenBackAndGoesOnWhereTheyAre() throws Exception {
    Path jobs = Files.createDirectory(folder.resolve("jobs"));
    Path mark = Files.createFile(jobs.resolve("mark"));
    var settings =
        Rig.settings(folder, Timing.usual(), Rig.real(), Optional.empty(), Optional.of(mark));
    try (Rig rig = new Rig(Rig.store(folder), settings)) {
      JobId id = rig.submit(LONG);
      rig.awaitStep(id, 1);
      assertTrue(rig.supervisor.ready());
      Path elsewhere = Files.move(jobs, folder.resolve("elsewhere"));
      Job queued = rig.await(id, JobState.QUEUED);
      assertEquals(List.of("STARTING", "RUNNING", "INTERRUPTED", "QUEUED"), rig.states(id));
      assertEquals(1, queued.attempts().size());
      JobId fresh = rig.submit(LONG);
      Rig.sleep(2500);
      assertEquals(JobState.QUEUED, rig.job(id).state(), "nobody takes it");
      assertEquals(JobState.QUEUED, rig.job(fresh).state(), "nor one that is new");
      assertFalse(rig.supervisor.ready());

      if (Files.exists(jobs)) {
        Files.move(jobs, folder.resolve("beneath"));
      }
      Files.move(elsewhere, jobs);
      assertEquals(JobState.SUCCEEDED, rig.awaitEnd(id).state(), () -> rig.log(id));
      assertArrayEquals(expected, rig.model(id));
      assertEquals(JobState.SUCCEEDED, rig.awaitEnd(fresh).state(), () -> rig.log(fresh));
    }
  }

  @Test
  void aKilledWorkersJobGoesOnToTheSameBytes() throws IOException {
    try (Rig rig = new Rig(folder)) {
      JobId id = rig.submit(LONG);
      rig.awaitStep(id, 1);
      new Signals().toProcess(rig.pid(id), Signals.KILL);
      Job job = rig.awaitEnd(id);
      assertEquals(JobState.SUCCEEDED, job.state(), () -> job + rig.log(id));
      assertEquals(2, job.attempts().size());
      assertEquals(Optional.of(Code.WORKER_LOST), job.attempts().getFirst().reason());
      assertEquals(Optional.of(9), job.attempts().getFirst().exit().orElseThrow().signal());
      assertEquals(
          List.of(
              "STARTING", "RUNNING", "INTERRUPTED", "QUEUED", "STARTING", "RUNNING", "SUCCEEDED"),
          rig.states(id));
      assertArrayEquals(expected, rig.model(id));
    }
  }

  @Test
  void aServerThatEndsLosesNoStepAndTheNextOneGoesOn() throws IOException {
    Rig rig = new Rig(folder);
    JobId id;
    Job stopped;
    try (rig) {
      id = rig.submit(LONG);
      rig.awaitStep(id, 1);
      long before = System.nanoTime();
      rig.supervisor.drain(Duration.ofSeconds(10));
      assertTrue(System.nanoTime() - before < Duration.ofSeconds(10).toNanos());
      stopped = rig.job(id);
      assertEquals(JobState.QUEUED, stopped.state());
      assertEquals(Optional.of(Code.SERVER_STOPPED), stopped.attempts().getFirst().reason());
      assertEquals(0, Rig.processes(id));
    }
    try (Rig next = new Rig(rig.store, rig.settings)) {
      Job job = next.awaitEnd(id);
      assertEquals(JobState.SUCCEEDED, job.state(), () -> job + next.log(id));
      assertNothingWasRedone(stopped, job);
      assertArrayEquals(expected, next.model(id));
    }
  }

  @Tag("Kubeflow-sdk-803")
  @Tag("Determined-2635")
  @Test
  void aJobThatGoesOnFromAnotherHasTheSameBytesAndLeavesThatOneAsItWas() throws IOException {
    try (Rig rig = new Rig(folder)) {
      JobId first = rig.submit(LONG);
      rig.awaitStep(first, 1);
      rig.cancel(first);
      rig.awaitEnd(first);
      Path checkpoints = rig.settings.folders().run(first).resolve("checkpoints");
      List<Path> before = files(checkpoints);
      String name = String.valueOf(before.getLast().getFileName());
      long step = Long.parseLong(name.replaceAll("\\D", ""));
      JobId id = rig.submit(LONG, Optional.of(new Origin(first, name, step)), Rig.ESTIMATE);
      Job job = rig.awaitEnd(id);
      assertEquals(JobState.SUCCEEDED, job.state(), () -> job + rig.log(id));
      assertEquals(Optional.of(step), job.attempts().getFirst().fromStep());
      assertEquals(before, files(checkpoints));
      assertArrayEquals(expected, rig.model(id));
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }

  /** Whether it was saved before or not: steps that were told of are not taken again in silence. */
  @Tag("Determined-2635")
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aJobWhoseFolderIsGoneFailsAndDoesNotBeginAnew(boolean saved) throws IOException {
    try (Rig rig = new Rig(folder)) {
      JobId id = rig.submit(Rig.tiny(4000));
      rig.awaitStep(id, 1);
      Path run = rig.settings.folders().run(id);
      if (saved) {
        rig.pause(id);
        rig.await(id, JobState.PAUSED);
        Files.move(run, run.resolveSibling("away"));
        rig.resume(id);
      } else {
        Files.move(run, run.resolveSibling("away"));
        new Signals().toProcess(rig.pid(id), Signals.KILL);
      }
      Job job = rig.awaitEnd(id);
      assertEquals(JobState.FAILED, job.state(), () -> job + rig.log(id));
      assertEquals(Code.NO_USABLE_CHECKPOINT, job.summary().statusReason().code());
      assertEquals("data", job.failure().orElseThrow().type());
      String detail = job.failure().orElseThrow().detail();
      assertTrue(detail.contains("no folder of the job's run"), detail);
      assertTrue(!detail.contains(folder.toString()), detail);
      assertEquals(2, job.attempts().size());
      assertEquals(Optional.empty(), job.attempts().getLast().fromStep());
    }
  }

  @Test
  void aJobWhoseCheckpointsAreAllDamagedFailsAndSaysSo() throws IOException {
    Rig rig = new Rig(folder);
    JobId id;
    try (rig) {
      id = rig.submit(ENDLESS);
      rig.awaitStep(id, 1);
      rig.pause(id);
      rig.await(id, JobState.PAUSED);
      for (Path file : files(rig.settings.folders().run(id).resolve("checkpoints"))) {
        Files.write(file, new byte[100]);
      }
      rig.resume(id);
      Job job = rig.awaitEnd(id);
      assertEquals(JobState.FAILED, job.state());
      assertEquals(Code.NO_USABLE_CHECKPOINT, job.summary().statusReason().code());
      assertEquals("data", job.failure().orElseThrow().type());
      String detail = job.failure().orElseThrow().detail();
      assertTrue(detail.contains("usable checkpoint"), detail);
      assertTrue(!detail.contains(folder.toString()), detail);
      assertEquals(2, job.attempts().size());
    }
  }
}
