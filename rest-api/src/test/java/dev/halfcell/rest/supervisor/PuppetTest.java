package dev.halfcell.rest.supervisor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.halfcell.rest.http.Row;
import dev.halfcell.rest.job.Attempt;
import dev.halfcell.rest.job.Failure;
import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobAction;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.JobState;
import dev.halfcell.rest.job.StatusReason.Code;
import dev.halfcell.rest.store.JobStore;
import dev.halfcell.rest.worker.FromWorker;
import dev.halfcell.rest.worker.ToWorker;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a supervisor does about workers that behave as none should. */
@Timeout(300)
@Tag("process")
final class PuppetTest {
  private static final Timing QUICK =
      Timing.usual().scan(Duration.ofMillis(200)).silence(Duration.ofMinutes(1));

  @TempDir private Path folder;

  private Rig puppets() {
    return new Rig(folder, QUICK, Puppet.SLEEPS);
  }

  @Test
  void aWorkerThatNeverConnectsFailsItsJobInTime() {
    try (Rig rig = new Rig(folder, QUICK.start(Duration.ofMillis(300)), Puppet.SLEEPS)) {
      JobId id = rig.submit(Rig.tiny(10));
      Job job = rig.awaitEnd(id);
      assertEquals(Code.START_TIMEOUT, job.summary().statusReason().code());
      assertEquals("deadline", job.failure().orElseThrow().type());
      assertEquals(0, Rig.processes(id));
    }
  }

  @Test
  void aWorkerThatDiesEachTimeFailsItsJobAfterThreeAndSaysHow() {
    WorkerCommand dies = _ -> List.of("sh", "-c", "echo cannot go on; kill -SEGV $$");
    try (Rig rig = new Rig(folder, QUICK, dies)) {
      JobId id = rig.submit(Rig.tiny(10));
      Job job = rig.awaitEnd(id);
      assertEquals(JobState.FAILED, job.state());
      assertEquals(Code.WORKERS_KEEP_DYING, job.summary().statusReason().code());
      assertEquals(3, job.attempts().size());
      assertEquals(Optional.of(11), job.exit().orElseThrow().signal());
      Failure failure = job.failure().orElseThrow();
      assertEquals("worker", failure.type());
      assertTrue(failure.detail().contains("signal 11"), failure.detail());
      assertTrue(failure.logTail().contains("cannot go on"), failure.logTail());
    }
  }

  @Test
  void aJobWithoutRetriesIsNotStartedAgain() {
    try (Rig rig = new Rig(folder, QUICK, _ -> List.of("sh", "-c", "exit 3"))) {
      JobId id = rig.submit(Rig.tiny(10).with("/retries", 0));
      Job job = rig.awaitEnd(id);
      assertEquals(Code.WORKERS_KEEP_DYING, job.summary().statusReason().code());
      assertEquals(1, job.attempts().size());
      assertTrue(job.failure().orElseThrow().detail().contains("exit code 3"));
    }
  }

  @Test
  void aWorkerThatCannotBeStartedIsADeathLikeOthers() {
    try (Rig rig = new Rig(folder, QUICK, _ -> List.of("/no/such/program"))) {
      Job job = rig.awaitEnd(rig.submit(Rig.tiny(10)));
      assertEquals(Code.WORKERS_KEEP_DYING, job.summary().statusReason().code());
      assertTrue(job.failure().orElseThrow().detail().contains("could not be started"));
    }
  }

  /** The program is being replaced: the system starts no file that is written. */
  @Test
  void aMachineThatCanStartNothingForAWhileFailsNoJob() throws Exception {
    Path program = folder.resolve("program");
    Files.writeString(program, "#!/bin/sh\nexec setsid sleep 120\n");
    assertTrue(program.toFile().setExecutable(true));
    try (FileChannel written = FileChannel.open(program, StandardOpenOption.WRITE)) {
      assumeTrue(refused(program), "this kernel starts files that are written");
      aMachineThatCanStartNothingForAWhileFailsNoJob(program, written);
    }
  }

  private static boolean refused(Path program) {
    try {
      new ProcessBuilder(program.toString()).start().destroyForcibly();
      return false;
    } catch (IOException _) {
      return true;
    }
  }

  private void aMachineThatCanStartNothingForAWhileFailsNoJob(Path program, FileChannel written)
      throws Exception {
    WorkerCommand command = _ -> List.of(program.toString());
    try (Rig rig = new Rig(folder, QUICK, command)) {
      JobId id = rig.submit(Rig.tiny(10).with("/retries", 0));
      Job job = rig.await(id, each -> each.attempts().size() >= 2, "a second attempt");
      assertFalse(job.state().terminal(), job::toString);
      Attempt first = job.attempts().getFirst();
      assertEquals(Optional.of(Code.SERVER_LOST), first.reason());
      assertTrue(
          Duration.between(first.startedAt(), job.attempts().get(1).startedAt()).toMillis() >= 1000,
          job::toString);
      written.close();
      try (Puppet _ = Puppet.trains(rig, id)) {
        rig.await(id, JobState.RUNNING);
      }
    }
  }

  @Test
  void whatAWorkerHoldsIsToldOfItsJob() throws Exception {
    try (Rig rig = puppets()) {
      JobId id = rig.submit(Rig.tiny(10));
      try (Puppet puppet = Puppet.trains(rig, id)) {
        puppet.wire.send(new FromWorker.Beat(123_456_789));
        puppet.wire.send(Puppet.at(3));
        Job job = rig.awaitStep(id, 3);
        assertEquals(Map.of("loss", 1.0, "residentBytes", 123_456_789.0), job.summary().metrics());
        assertEquals(1, rig.supervisor.figures().running());
        assertTrue(rig.supervisor.figures().residentBytes() > 0);
      }
    }
  }

  @Test
  void aWorkerThatHoldsTooMuchIsKilledAndItsJobToldTheFigures() throws Exception {
    try (Rig rig = puppets()) {
      JobId id = rig.submit(Rig.tiny(10).with("/resources/memoryLimit", 1000));
      Job job = rig.awaitEnd(id);
      assertEquals(Code.OUT_OF_MEMORY, job.summary().statusReason().code());
      Failure failure = job.failure().orElseThrow();
      assertTrue(failure.oomKilled());
      assertTrue(failure.detail().contains("(1000 bytes)"), failure.detail());
      assertEquals(1, job.attempts().size());
      assertEquals(0, Rig.processes(id));
    }
  }

  @Test
  void theSystemMayTakeWorkersFirst() throws Exception {
    try (Rig rig = puppets()) {
      JobId id = rig.submit(Rig.tiny(10));
      try (Puppet puppet = Puppet.of(rig, id)) {
        Path score = Path.of("/proc/" + puppet.pid + "/oom_score_adj");
        assertEquals("500", Files.readString(score).strip());
      }
    }
  }

  @Test
  void aSilentWorkerIsKilledAndItsJobStartedAgain() throws Exception {
    try (Rig rig = new Rig(folder, QUICK.silence(Duration.ofMillis(500)), Puppet.SLEEPS)) {
      JobId id = rig.submit(Rig.tiny(10));
      try (Puppet _ = Puppet.trains(rig, id)) {
        Job job = rig.await(id, each -> each.attempts().size() == 2, "a second attempt");
        assertEquals(Optional.of(Code.WORKER_LOST), job.attempts().getFirst().reason());
      }
    }
  }

  @Test
  void aWorkerThatDoesNotStopIsKilledWithinTwoSecondsOfACancel() throws Exception {
    try (Rig rig = puppets()) {
      JobId id = rig.submit(Rig.tiny(10));
      try (Puppet puppet = Puppet.trains(rig, id)) {
        rig.await(id, JobState.RUNNING);
        long before = System.nanoTime();
        rig.cancel(id);
        assertTrue(puppet.wire.toWorker().orElseThrow() instanceof ToWorker.Stop);
        Job job = rig.awaitEnd(id);
        assertEquals(JobState.CANCELLED, job.state());
        assertTrue(System.nanoTime() - before < Duration.ofSeconds(10).toNanos());
        assertEquals(0, Rig.processes(id));
      }
    }
  }

  @Tag("Ray-31274")
  @Test
  void aWorkerHasTheTimeToSaveThatItsJobGivesIt() throws Exception {
    try (Rig rig = puppets()) {
      JobId id = rig.submit(Rig.tiny(10).with("/stopGraceSeconds", 30));
      try (Puppet puppet = Puppet.trains(rig, id)) {
        rig.await(id, JobState.RUNNING);
        rig.cancel(id);
        assertTrue(puppet.wire.toWorker().orElseThrow() instanceof ToWorker.Stop);
        Rig.sleep(4_000);
        puppet.wire.send(new FromWorker.Stopped(3, "step-000000000003.safetensors"));
        puppet.close();
        Job job = rig.awaitEnd(id);
        assertEquals(JobState.CANCELLED, job.state());
        assertTrue(job.exit().orElseThrow().graceful(), job::toString);
        assertEquals(0, Rig.processes(id));
      }
    }
  }

  @Test
  void aCancelThatAnotherServerWasAskedIsSeenInTheStore() throws Exception {
    try (Rig rig = puppets()) {
      JobId id = rig.submit(Rig.tiny(10));
      try (Puppet puppet = Puppet.trains(rig, id)) {
        rig.await(id, JobState.RUNNING);
        rig.ask(id, JobAction.ASK_CANCEL, Code.CANCELLING);
        assertTrue(puppet.wire.toWorker().orElseThrow() instanceof ToWorker.Stop);
        puppet.wire.send(new FromWorker.Stopped(3, "step-000000000003.safetensors"));
        puppet.close();
        new Signals().toProcess(puppet.pid, Signals.KILL);
        assertEquals(JobState.CANCELLED, rig.awaitEnd(id).state());
      }
    }
  }

  @Test
  void aJobThatRunsTooLongFails() throws Exception {
    try (Rig rig = puppets()) {
      JobId id = rig.submit(Rig.tiny(10).with("/timeout", 4).with("/stopGraceSeconds", 1));
      try (Puppet _ = Puppet.trains(rig, id)) {
        Job job = rig.awaitEnd(id);
        assertEquals(Code.RUN_TIMEOUT, job.summary().statusReason().code());
        assertEquals("deadline", job.failure().orElseThrow().type());
      }
    }
  }

  @Test
  void aJobThatWaitsTooLongFails() {
    try (Rig rig = puppets()) {
      JobId id = rig.submit(Rig.tiny(10).with("/queueTimeout", 1), Optional.empty(), 1L << 50);
      Job job = rig.awaitEnd(id);
      assertEquals(Code.QUEUE_TIMEOUT, job.summary().statusReason().code());
      assertEquals(0, job.attempts().size());
    }
  }

  @Test
  void whoSaysCompletedWithoutResultsHasNotCompleted() throws Exception {
    try (Rig rig = puppets()) {
      JobId id = rig.submit(Rig.tiny(10));
      try (Puppet puppet = Puppet.trains(rig, id)) {
        puppet.wire.send(new FromWorker.Completed(10));
        new Signals().toProcess(puppet.pid, Signals.KILL);
        Job job = rig.awaitEnd(id);
        assertEquals(JobState.FAILED, job.state());
        assertEquals("worker", job.failure().orElseThrow().type());
      }
    }
  }

  @Test
  void anOldAttemptIsEndedAndChangesNothing() throws Exception {
    try (Rig rig = puppets()) {
      JobId id = rig.submit(Rig.tiny(10));
      try (Puppet puppet = Puppet.trains(rig, id)) {
        rig.await(id, JobState.RUNNING);
        rig.ask(id, JobAction.ASK_CANCEL, Code.CANCELLING);
        rig.ask(id, JobAction.LOSE, Code.CANCELLED_BY_REQUEST);
        assertTrue(rig.store.delete(id));
        puppet.wire.send(Puppet.at(1));
        while (rig.supervisor.figures().running() > 0) {
          Rig.sleep(10);
        }
        assertTrue(rig.store.find(id).isEmpty());
        assertEquals(0, Rig.processes(id));
      }
    }
  }

  /** What a test's worker sends once it trains. */
  @FunctionalInterface
  private interface Mischief {
    void of(Puppet puppet) throws IOException;
  }

  private void breaksProtocol(Rig rig, Mischief mischief) throws Exception {
    JobId id = rig.submit(Rig.tiny(10));
    try (Puppet puppet = Puppet.trains(rig, id)) {
      mischief.of(puppet);
      Job job = rig.awaitEnd(id);
      assertEquals(JobState.FAILED, job.state());
      assertEquals(Code.TRAINING_FAILED, job.summary().statusReason().code());
      assertEquals("worker", job.failure().orElseThrow().type());
      assertTrue(job.failure().orElseThrow().detail().contains("protocol"), job.toString());
      assertEquals(1, job.attempts().size());
      assertEquals(0, Rig.processes(id));
    }
  }

  @Test
  @Row("P64")
  void aWorkerThatBreaksTheProtocolFailsItsJobAndNothingElse() throws Exception {
    try (Rig rig = puppets()) {
      JobId other = rig.submit(Rig.tiny(10));
      try (Puppet sound = Puppet.trains(rig, other)) {
        breaksProtocol(rig, puppet -> puppet.send((byte) -1, (byte) 0, (byte) 0, (byte) 0));
        breaksProtocol(rig, puppet -> puppet.send(new byte[4]));
        breaksProtocol(
            rig, puppet -> puppet.send((byte) 0, (byte) 0, (byte) 0, (byte) 1, (byte) '{'));
        breaksProtocol(rig, puppet -> puppet.wire.send(new ToWorker.Stop()));
        breaksProtocol(rig, puppet -> puppet.wire.send(new FromWorker.Began(0)));
        breaksProtocol(
            rig, puppet -> puppet.wire.send(new FromWorker.Hello(1, 1, "x", 1, "secret")));
        breaksProtocol(
            rig,
            puppet -> {
              puppet.wire.send(Puppet.at(5));
              puppet.wire.send(Puppet.at(4));
            });
        breaksProtocol(rig, PuppetTest::sendsNoise);
        sound.wire.send(Puppet.at(7));
        rig.awaitStep(other, 7);
      }
    }
  }

  private static void sendsNoise(Puppet puppet) throws IOException {
    byte[] noise = new byte[4000];
    new Random(1).nextBytes(noise);
    noise[0] = 0;
    noise[1] = 0;
    noise[2] = 14; // a frame that is all there
    puppet.send(noise);
  }

  @Tag("KubeRay-2161")
  @Tag("Ray-50031")
  @Test
  void aServerThatStartsGivesBackWhatItsEarlierLifeHeldAndEndsItsWorkers() throws Exception {
    JobStore store = Rig.store(folder);
    WorkerSettings settings = Rig.settings(folder, QUICK, Puppet.SLEEPS);
    JobId id;
    JobId cancelled;
    Process stray;
    try (Rig rig = new Rig(store, settings)) {
      rig.supervisor.close();
      id = rig.submit(Rig.tiny(10));
      cancelled = rig.submit(Rig.tiny(10));
      Lives.claimsAndDies(store, settings.server());
      Lives.claimsAndDies(store, settings.server());
      rig.ask(cancelled, JobAction.ASK_CANCEL, Code.CANCELLING);
      stray = Lives.stray(id);
    }
    try (Rig next = new Rig(store, settings)) {
      assertTrue(stray.waitFor(5, java.util.concurrent.TimeUnit.SECONDS));
      assertEquals(JobState.CANCELLED, next.job(cancelled).state());
      Job job = next.await(id, each -> each.attempts().size() == 2, "a second attempt");
      assertEquals(Optional.of(Code.SERVER_LOST), job.attempts().getFirst().reason());
      assertEquals(List.of("STARTING", "INTERRUPTED", "QUEUED", "STARTING"), next.states(id));
    }
  }

  @Tag("Ray-50031")
  @Test
  void closingLeavesNoThreadAndNoProcess() throws Exception {
    Rig rig = puppets();
    JobId id = rig.submit(Rig.tiny(10));
    try (Puppet _ = Puppet.trains(rig, id)) {
      rig.await(id, JobState.RUNNING);
      rig.close();
    }
    assertEquals(JobState.QUEUED, rig.job(id).state());
    assertEquals(0, Rig.processes(id));
    assertFalse(Files.exists(Puppet.socket(rig)));
    assertTrue(
        Thread.getAllStackTraces().keySet().stream()
            .noneMatch(thread -> thread.getName().startsWith("halfcell-workers")));
  }
}
