package dev.halfcell.rest.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.rest.job.Description;
import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobAction;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.JobProgress;
import dev.halfcell.rest.job.StatusReason;
import dev.halfcell.rest.job.StatusReason.Code;
import dev.halfcell.rest.service.TimeEstimate.Expected;
import dev.halfcell.rest.store.AcceptLimits;
import dev.halfcell.rest.store.Claim;
import dev.halfcell.rest.store.Fence;
import dev.halfcell.rest.store.JobStore;
import dev.halfcell.rest.store.NewJob;
import dev.halfcell.rest.store.Report;
import dev.halfcell.rest.store.SqlJobStore;
import dev.halfcell.rest.store.StoreSettings;
import dev.halfcell.rest.store.Transition;
import dev.halfcell.zoo.job.Assembly;
import dev.halfcell.zoo.job.JobSpecification;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is known of the time of a job before it runs, and by which jobs. */
final class TimeEstimateTest {
  private static final Instant START = Instant.parse("2026-11-22T10:00:00Z");
  private static final AcceptLimits NO_LIMITS = new AcceptLimits(1_000_000, 1_000_000);
  private static final Caller ANN = new Caller("ann", Set.of(Caller.Scope.SUBMIT));

  /** Of 100 steps, as all jobs of these tests. */
  private static final JobSpecification LENET =
      JobSpecification.of("lenet5").with("/precision/half", "fp16").with("/training/steps", 100);

  private static final JobSpecification LARGER = LENET.with("/training/batchSize", 32);

  private final SecureRandom random = new SecureRandom();

  @TempDir private Path folder;

  private JobStore store;

  @BeforeEach
  void open() {
    store = SqlJobStore.open(new StoreSettings.Sqlite(folder.resolve("jobs.sqlite")));
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static Instant at(int second) {
    return START.plusSeconds(second);
  }

  private JobId sent(String owner, JobSpecification said, int second) {
    JobSpecification resolved = said.resolved();
    Assembly parts = new Assembly(resolved);
    JobId id = JobId.random(random);
    var _ =
        store.accept(
            new NewJob(
                id,
                owner,
                Optional.empty(),
                Optional.empty(),
                new Description(said.name(), said.labels(), Optional.empty(), 0, false),
                parts.network().name(),
                parts.level().label(),
                said.json(),
                resolved.json(),
                1,
                Optional.empty(),
                Optional.empty(),
                at(second)),
            NO_LIMITS);
    return id;
  }

  /** The worker of the only job that waits is started and trains; it has not said from where on. */
  private Fence begun(int second) {
    Claim claim = new Claim("s", 1 << 30, Long.MAX_VALUE, at(second), at(second + 15));
    Job job = store.claim(claim).orElseThrow().job();
    Fence fence = new Fence(job.id(), "s", job.summary().attempt());
    apply(fence, JobAction.BEGIN, Code.TRAINING, second);
    return fence;
  }

  private void apply(Fence fence, JobAction action, Code code, int second) {
    StatusReason reason = new StatusReason(code, "As a test has it.", at(second));
    var _ = store.apply(fence.job(), Transition.of(action, reason, fence));
  }

  private void told(Fence fence, long from, long to) {
    JobProgress progress =
        new JobProgress(to, Optional.of(100L), 1, 1, to / 100.0, Optional.empty(), START);
    var _ =
        store.report(
            fence,
            new Report(
                Optional.empty(), Optional.of(from), Optional.of(progress), Map.of(), List.of()));
  }

  private void completed(Fence fence, int second) {
    apply(fence, JobAction.COMPLETE, Code.COMPLETED, second);
  }

  /** One of Ann's that took all its steps in one attempt, from one second to another. */
  private JobId trained(JobSpecification said, int from, int to) {
    JobId id = sent("ann", said, from);
    Fence fence = begun(from);
    told(fence, 0, 100);
    completed(fence, to);
    return id;
  }

  private Optional<Expected> asked(JobSpecification said, long steps) {
    return new TimeEstimate(store).of(ANN, said.resolved(), steps);
  }

  @Test
  void nothingIsToldWhereNoneOfTheKindHasSucceeded() {
    assertEquals(Optional.empty(), asked(LENET, 100));
    JobId failed = sent("ann", LENET, 0);
    Fence fence = begun(0);
    assertEquals(failed, fence.job());
    told(fence, 0, 100);
    assertEquals(Optional.empty(), asked(LENET, 100));
    apply(fence, JobAction.FAIL, Code.TRAINING_FAILED, 50);
    assertEquals(Optional.empty(), asked(LENET, 100));
  }

  @Test
  void theNewestOfTheKindTells() {
    JobId first = trained(LENET, 0, 50);
    assertEquals(Optional.of(new Expected(200, 0.5, first)), asked(LENET, 400));
    JobId second = trained(LENET, 60, 85);
    assertEquals(Optional.of(new Expected(100, 0.25, second)), asked(LENET, 400));
    JobId larger = trained(LARGER, 100, 200);
    assertEquals(Optional.of(new Expected(100, 0.25, second)), asked(LENET, 400));
    assertEquals(Optional.of(new Expected(400, 1, larger)), asked(LARGER, 400));
  }

  @Test
  void whatNoStepTakesTimeForIsNoPartOfTheKind() {
    Expected expected = new Expected(200, 0.5, trained(LENET, 0, 50));
    Map<String, Object> others =
        Map.ofEntries(
            Map.entry("/name", "another"),
            Map.entry("/labels", Map.of("team", "a")),
            Map.entry("/priority", 3),
            Map.entry("/timeout", 600),
            Map.entry("/queueTimeout", 600),
            Map.entry("/stopGraceSeconds", 5),
            Map.entry("/retries", 2),
            Map.entry("/checkpoint/everySteps", 10),
            Map.entry("/training/steps", 7),
            Map.entry("/training/earlyStopping", Map.of("metric", "train_loss", "patience", 2)),
            Map.entry("/training/seed", 42),
            Map.entry("/training/schedule", "cosine"),
            Map.entry("/training/optimizer/learningRate", 0.5),
            Map.entry("/resources/memoryLimit", 1 << 30));
    others.forEach(
        (pointer, value) ->
            assertEquals(
                Optional.of(expected), asked(LENET.with(pointer, value), 400), () -> pointer));
    JobSpecification epochs =
        JobSpecification.of("lenet5").with("/precision/half", "fp16").with("/training/epochs", 3);
    assertEquals(Optional.of(expected), asked(epochs, 400));
  }

  @Test
  void whatAStepTakesTimeForMakesAnotherKind() {
    var _ = trained(LENET, 0, 50);
    Map<String, Object> others =
        Map.ofEntries(
            Map.entry("/network/name", "mlp"),
            Map.entry("/dataset/name", "synthetic"),
            Map.entry("/precision/level", "O0"),
            Map.entry("/precision/half", "bf16"),
            Map.entry("/training/batchSize", 32),
            Map.entry("/training/accumulation/microBatches", 2),
            Map.entry("/training/optimizer/name", "adam"),
            Map.entry("/training/clip/norm", 1.0),
            Map.entry("/training/ema", 0.99),
            Map.entry("/training/evaluation/everyEpochs", 1),
            Map.entry("/device", "reference"),
            Map.entry("/resources/threads", 1),
            Map.entry("/resources/loaderWorkers", 0),
            Map.entry("/logs", List.of("csv")));
    others.forEach(
        (pointer, value) ->
            assertEquals(Optional.empty(), asked(LENET.with(pointer, value), 400), () -> pointer));
  }

  @Test
  void anAttemptThatGoesOnCountsItsOwnSteps() {
    JobId id = sent("ann", LENET, 0);
    Fence first = begun(0);
    told(first, 0, 70);
    apply(first, JobAction.LOSE, Code.WORKER_LOST, 10);
    apply(first, JobAction.QUEUE, Code.WAITING_FOR_WORKER, 10);
    Fence second = begun(1000);
    told(second, 60, 100);
    completed(second, 1010);
    assertEquals(Optional.of(new Expected(100, 0.25, id)), asked(LENET, 400));
  }

  @Test
  void whatIsNotCertainIsPassedOver() {
    JobId good = trained(LENET, 0, 50);
    var _ = trained(LENET, 200, 150); // the clock was set back
    var _ = trained(LENET, 300, 300);
    JobId nothingLeft = sent("ann", LENET, 400);
    Fence idle = begun(400);
    told(idle, 100, 100);
    completed(idle, 410);
    assertEquals(nothingLeft, idle.job());
    var _ = sent("ann", LENET, 500);
    completed(begun(500), 510);
    assertEquals(Optional.of(new Expected(200, 0.5, good)), asked(LENET, 400));
  }

  @Test
  void theLastStepIsTheLastOfAllUnlessItMayHaveStoppedEarly() {
    JobId untold = sent("ann", LENET, 0);
    Fence fence = begun(0);
    told(fence, 0, 10); // the store was away then
    completed(fence, 50);
    assertEquals(Optional.of(new Expected(200, 0.5, untold)), asked(LENET, 400));
    JobId early =
        sent(
            "ann",
            LENET.with("/training/earlyStopping", Map.of("metric", "train_loss", "patience", 2)),
            100);
    Fence stopped = begun(100);
    told(stopped, 0, 50);
    completed(stopped, 150);
    assertEquals(Optional.of(new Expected(400, 1, early)), asked(LENET, 400));
  }

  @Test
  void jobsOfOthersTellNothing() {
    JobId id = sent("bob", LENET, 0);
    Fence fence = begun(0);
    told(fence, 0, 100);
    completed(fence, 50);
    assertEquals(Optional.empty(), asked(LENET, 400));
    assertEquals(
        Optional.of(new Expected(200, 0.5, id)),
        new TimeEstimate(store).of(Caller.local(), LENET.resolved(), 400));
  }

  @Test
  void twentyJobsAreLookedAt() {
    JobId id = trained(LENET, 0, 50);
    for (int i = 1; i < 20; i++) {
      var _ = trained(LARGER, 100 * i, 100 * i + 50);
    }
    assertEquals(Optional.of(new Expected(200, 0.5, id)), asked(LENET, 400));
    var _ = trained(LARGER, 2000, 2050);
    assertEquals(Optional.empty(), asked(LENET, 400));
  }
}
