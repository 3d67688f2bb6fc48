package dev.halfcell.rest.supervisor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.JobState;
import dev.halfcell.rest.job.StatusReason.Code;
import dev.halfcell.rest.service.RefusedException;
import dev.halfcell.rest.service.RefusedException.Kind;
import dev.halfcell.rest.worker.FromWorker;
import dev.halfcell.rest.worker.FromWorker.Predicted;
import dev.halfcell.rest.worker.ToWorker.Diagnose;
import dev.halfcell.rest.worker.ToWorker.Predict;
import dev.halfcell.rest.worker.Wire;
import dev.halfcell.rest.worker.WorkerProcess;
import dev.halfcell.zoo.run.Prediction;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes of tasks, by one that only sleeps and whose part a test speaks. */
@Timeout(60)
@Tag("process")
final class TaskRunsTest {
  private static final long BYTES = 100L << 20;
  private static final Predict ONE =
      new Predict("/run", Optional.empty(), List.of(1, 1, 1, 1), List.of(0f), false, 3);
  private static final Predicted SAID = said(1);

  @TempDir private Path folder;
  private final ExecutorService asking = Executors.newVirtualThreadPerTaskExecutor();
  private final CompletableFuture<Void> left = new CompletableFuture<>();
  private final JobId job = JobId.random(new SecureRandom());

  @BeforeEach
  void makeFolder() throws IOException {
    Files.createDirectories(Rig.folders(folder).of(job));
  }

  @AfterEach
  void close() {
    asking.close();
  }

  private static Predicted said(int samples) {
    Prediction one = new Prediction(0, List.of(1.0), List.of(1.0), List.of());
    return new Predicted(Collections.nCopies(samples, one), "O2", "bf16", "cpu");
  }

  private Rig rig(Duration start) {
    return new Rig(folder, Timing.usual().start(start), Puppet.SLEEPS);
  }

  private Rig rig() {
    return rig(Duration.ofSeconds(20));
  }

  private CompletableFuture<Predicted> ask(Rig rig, long bytes) {
    return CompletableFuture.supplyAsync(
        () -> rig.supervisor.perform(job, ONE, bytes, left), asking);
  }

  /** Connects in the place of a prediction's process, and takes what it is asked. */
  private Wire connected(Rig rig) throws Exception {
    Processes processes = Processes.ofThisMachine();
    while (true) {
      for (long pid : processes.all()) {
        Map<String, String> environment = processes.environment(pid);
        if (job.text().equals(environment.get("HALFCELL_JOB"))) {
          Wire wire = new Wire(SocketChannel.open(UnixDomainSocketAddress.of(Puppet.socket(rig))));
          wire.send(
              new FromWorker.Hello(
                  FromWorker.PROTOCOL,
                  pid,
                  job.text(),
                  Integer.parseInt(environment.getOrDefault("HALFCELL_ATTEMPT", "0")),
                  environment.getOrDefault("HALFCELL_SECRET", "")));
          assertEquals(ONE, wire.toWorker().orElseThrow());
          return wire;
        }
      }
      Thread.sleep(5);
    }
  }

  private RefusedException refused(CompletableFuture<?> coming) {
    Throwable cause = cause(coming);
    assertEquals(0, Rig.processes(job), "its process is gone before it is told");
    return assertThrows(
        RefusedException.class,
        () -> {
          throw cause;
        });
  }

  private static Throwable cause(CompletableFuture<?> coming) {
    return Objects.requireNonNull(assertThrows(CompletionException.class, coming::join).getCause());
  }

  @Test
  void whatTheProcessSaysIsTheAnswerAndItsEnd() throws Exception {
    try (Rig rig = rig()) {
      CompletableFuture<Predicted> coming = ask(rig, BYTES);
      try (Wire wire = connected(rig)) {
        wire.send(SAID);
        assertEquals(SAID, coming.join());
      }
      assertEquals(0, Rig.processes(job));
    }
  }

  @Test
  void whatTheModelCannotDoIsTold() throws Exception {
    Map<String, Kind> kinds =
        Map.of(
            "memory", Kind.UNAVAILABLE,
            "non-finite", Kind.INVALID,
            "argument", Kind.CONFLICT,
            "data", Kind.CONFLICT);
    try (Rig rig = rig()) {
      for (Map.Entry<String, Kind> kind : kinds.entrySet()) {
        CompletableFuture<Predicted> coming = ask(rig, BYTES);
        try (Wire wire = connected(rig)) {
          wire.send(failed(kind.getKey()));
          RefusedException refused = refused(coming);
          assertSame(kind.getValue(), refused.kind(), kind.getKey());
          assertTrue(refused.detail().contains("as a test has it"), refused.detail());
        }
      }
      CompletableFuture<Predicted> defect = ask(rig, BYTES);
      try (Wire wire = connected(rig)) {
        wire.send(failed("internal"));
        Throwable cause = cause(defect);
        assertEquals(IllegalStateException.class, cause.getClass());
      }
    }
  }

  private static FromWorker failed(String type) {
    return new FromWorker.Failed(
        Code.TRAINING_FAILED,
        type,
        "as a test has it",
        Optional.empty(),
        Optional.empty(),
        false,
        false);
  }

  @Test
  void whatIsNoAnswerIsNone() throws Exception {
    try (Rig rig = rig()) {
      for (FromWorker other : List.of(new FromWorker.Began(0), said(2))) {
        CompletableFuture<Predicted> coming = ask(rig, BYTES);
        try (Wire wire = connected(rig)) {
          wire.send(other);
          Throwable cause = cause(coming);
          assertTrue(String.valueOf(cause.getMessage()).contains("protocol"), cause::toString);
          assertEquals(0, Rig.processes(job));
        }
      }
    }
  }

  @Test
  void aProcessWhoseHeapIsFullIsToldOf() {
    WorkerCommand ends = _ -> List.of("setsid", "sh", "-c", "exit " + WorkerProcess.FULL);
    try (Rig rig = new Rig(folder, Timing.usual(), ends)) {
      RefusedException refused = refused(ask(rig, BYTES));
      assertSame(Kind.UNAVAILABLE, refused.kind());
      assertTrue(refused.detail().contains("too small a Java heap"), refused.detail());
    }
  }

  @Test
  void aProcessThatIsKilledIsToldOf() throws Exception {
    try (Rig rig = rig()) {
      CompletableFuture<Predicted> coming = ask(rig, BYTES);
      try (Wire _ = connected(rig)) {
        Processes processes = Processes.ofThisMachine();
        processes.all().stream()
            .filter(pid -> job.text().equals(processes.environment(pid).get("HALFCELL_JOB")))
            .forEach(pid -> new Signals().toProcess(pid, Signals.KILL));
        RefusedException refused = refused(coming);
        assertSame(Kind.UNAVAILABLE, refused.kind());
        assertTrue(refused.detail().contains("signal 9"), refused.detail());
      }
    }
  }

  @Test
  void whatTakesTooLongIsEnded() throws Exception {
    try (Rig rig = rig(Duration.ofMillis(500))) {
      RefusedException never = refused(ask(rig, BYTES));
      assertSame(Kind.UNAVAILABLE, never.kind());
      assertTrue(never.detail().contains("longer than"), never.detail());
    }
    // Long enough for a test that stalls to find its process.
    try (Rig rig = rig(Duration.ofSeconds(5))) {
      CompletableFuture<Predicted> coming = ask(rig, BYTES);
      try (Wire _ = connected(rig)) {
        assertTrue(refused(coming).detail().contains("longer than"));
      }
    }
  }

  @Test
  void whoGoesAwayEndsIt() throws Exception {
    try (Rig rig = rig()) {
      CompletableFuture<Predicted> coming = ask(rig, BYTES);
      try (Wire _ = connected(rig)) {
        left.complete(null);
        assertTrue(refused(coming).detail().contains("before its answer"));
      }
      assertSame(Kind.UNAVAILABLE, refused(ask(rig, BYTES)).kind());
    }
  }

  @Test
  void aServerThatEndsLetsThemComeToTheirEndAndBeginsNone() throws Exception {
    try (Rig rig = rig()) {
      CompletableFuture<Predicted> coming = ask(rig, BYTES);
      try (Wire wire = connected(rig)) {
        CompletableFuture<Void> draining =
            CompletableFuture.runAsync(() -> rig.supervisor.drain(Duration.ofSeconds(20)), asking);
        Thread.sleep(200);
        CompletableFuture<Predicted> late = ask(rig, BYTES);
        Throwable cause = cause(late);
        assertTrue(String.valueOf(cause.getMessage()).contains("ends"), cause::toString);
        wire.send(SAID);
        assertEquals(SAID, coming.join());
        draining.join();
      }
    }
  }

  @Test
  void aServerThatIsClosedLeavesNoProcess() throws Exception {
    CompletableFuture<Predicted> coming;
    try (Rig rig = rig()) {
      coming = ask(rig, BYTES);
      var _ = connected(rig);
    }
    assertEquals(0, Rig.processes(job));
    assertSame(Kind.UNAVAILABLE, refused(coming).kind());
  }

  @Test
  void itHasNoMoreMemoryThanTheWorkersLeaveAndTheyHaveNoMoreThanItLeaves() throws Exception {
    try (Rig rig = rig()) {
      long all = rig.settings.memory();
      RefusedException refused = refused(ask(rig, all + 1));
      assertSame(Kind.UNAVAILABLE, refused.kind());
      assertTrue(refused.detail().contains(String.valueOf(all + 1)), refused.detail());
      CompletableFuture<Predicted> coming = ask(rig, all);
      try (Wire wire = connected(rig)) {
        JobId waiting = rig.submit(Rig.tiny(1));
        Thread.sleep(1500);
        assertEquals(JobState.QUEUED, rig.job(waiting).state());
        wire.send(SAID);
        coming.join();
        rig.await(waiting, JobState.STARTING);
      }
    }
  }

  @Test
  void whatHoldsTooMuchIsEnded() {
    try (Rig rig = new Rig(folder, Timing.usual(), WorkerCommand.ofThisProgram())) {
      Predict run =
          new Predict(folder.toString(), Optional.empty(), ONE.sizes(), ONE.numbers(), false, 1);
      // A Java process holds more than the margin, before it can say that there is no such run.
      CompletableFuture<Predicted> coming =
          CompletableFuture.supplyAsync(
              () -> rig.supervisor.perform(job, run, -WorkerSettings.MARGIN, left), asking);
      RefusedException refused = refused(coming);
      assertSame(Kind.INVALID, refused.kind(), refused::detail);
      assertEquals("/inputs", refused.errors().getFirst().pointer());
      assertTrue(refused.detail().endsWith("; send fewer."), refused.detail());
    }
  }

  @Test
  void aRealProcessSaysThatThereIsNoModel() {
    try (Rig rig = new Rig(folder)) {
      Predict run =
          new Predict(
              folder.resolve("none").toString(),
              Optional.empty(),
              ONE.sizes(),
              ONE.numbers(),
              false,
              1);
      CompletableFuture<Predicted> coming =
          CompletableFuture.supplyAsync(
              () -> rig.supervisor.perform(job, run, 400L << 20, left), asking);
      RefusedException refused = refused(coming);
      assertSame(Kind.CONFLICT, refused.kind(), refused::detail);
      assertFalse(refused.detail().contains(folder.toString()), refused.detail());
    }
  }

  @Test
  void aRealProcessSaysThatThereIsNoStepToRunAgain() {
    try (Rig rig = new Rig(folder)) {
      Diagnose step = new Diagnose(folder.resolve("none").toString());
      CompletableFuture<FromWorker.Diagnosed> coming =
          CompletableFuture.supplyAsync(
              () -> rig.supervisor.perform(job, step, 400L << 20, left), asking);
      RefusedException refused = refused(coming);
      assertSame(Kind.CONFLICT, refused.kind(), refused::detail);
      assertFalse(refused.detail().contains(folder.toString()), refused.detail());
    }
  }

  @Test
  void aDiagnosisThatHoldsTooMuchIsNoFaultOfWhatWasSent() {
    try (Rig rig = new Rig(folder, Timing.usual(), WorkerCommand.ofThisProgram())) {
      Diagnose step = new Diagnose(folder.toString());
      CompletableFuture<FromWorker.Diagnosed> coming =
          CompletableFuture.supplyAsync(
              () -> rig.supervisor.perform(job, step, -WorkerSettings.MARGIN, left), asking);
      RefusedException refused = refused(coming);
      assertSame(Kind.CONFLICT, refused.kind(), refused::detail);
      assertTrue(refused.detail().contains("more than its"), refused.detail());
      assertFalse(refused.detail().contains("send fewer"), refused.detail());
    }
  }
}
