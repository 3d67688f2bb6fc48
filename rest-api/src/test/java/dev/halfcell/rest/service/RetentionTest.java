package dev.halfcell.rest.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.Origin;
import dev.halfcell.rest.store.DescriptionChange;
import dev.halfcell.rest.store.JobStore;
import dev.halfcell.rest.store.SqlJobStore;
import dev.halfcell.rest.store.StoreSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which jobs are deleted for their age or number, and what of them. */
final class RetentionTest {
  private static final Instant NOW = Instant.parse("2026-11-22T22:00:00Z");
  private static final Retention WEEK =
      new Retention(Optional.of(Duration.ofDays(7)), Optional.empty());

  @TempDir private Path folder;

  private JobFolders folders;
  private Finished finished;

  @BeforeEach
  void open() {
    folders = new JobFolders(folder.resolve("jobs"));
    finished = new Finished(store(), folders);
  }

  private JobStore store() {
    return SqlJobStore.open(new StoreSettings.Sqlite(folder.resolve("jobs.sqlite")));
  }

  @AfterEach
  void close() {
    finished.store().close();
  }

  private RetentionSweep sweep(Retention retention, JobStore store) {
    return new RetentionSweep(retention, store, folders, Clock.fixed(NOW, ZoneOffset.UTC));
  }

  private RetentionSweep.Swept swept(Retention retention) {
    return sweep(retention, finished.store()).sweep();
  }

  private static Instant ago(double days) {
    return NOW.minusMillis((long) (days * 24 * 3600 * 1000));
  }

  private boolean there(JobId job) {
    boolean kept = finished.store().find(job).isPresent();
    assertEquals(kept, Files.exists(folders.of(job)), "store and files");
    return kept;
  }

  private void pin(JobId job) {
    var _ =
        finished
            .store()
            .describe(
                job,
                new DescriptionChange(
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.of(true)));
  }

  @Test
  void whatIsOverForLongerThanItIsKeptGoesWithAllItsFiles() throws IOException {
    JobId old = finished.at(ago(7.01), 1000);
    JobId older = finished.at(ago(30), 24);
    JobId pinned = finished.at(ago(30), 1);
    JobId young = finished.at(ago(6.99), 1);
    JobId waits = finished.waiting("ann", ago(30), Optional.empty());
    pin(pinned);
    assertEquals(new RetentionSweep.Swept(2, 1024), swept(WEEK));
    assertFalse(there(old) || there(older));
    assertTrue(there(pinned) && there(young));
    assertTrue(finished.store().find(waits).isPresent());
    assertEquals(new RetentionSweep.Swept(0, 0), swept(WEEK));
    assertEquals(new RetentionSweep.Swept(0, 0), swept(Retention.forEver()));
  }

  @Test
  void theNewestAreKeptAndPinnedOnesCount() throws IOException {
    List<JobId> jobs = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      jobs.add(finished.at(ago(10 - i), 1));
    }
    pin(jobs.get(1));
    Retention four = new Retention(Optional.empty(), Optional.of(4L));
    assertEquals(6, swept(four).jobs());
    assertEquals(
        List.of(1, 7, 8, 9),
        IntStream.range(0, 10).filter(i -> there(jobs.get(i))).boxed().toList());
  }

  @Test
  void whatAnotherJobGoesOnFromIsKeptUntilThatIsOver() throws IOException {
    JobId first = finished.at(ago(30), 1);
    finished.waiting("ann", ago(0), Optional.of(new Origin(first, "step-1", 1)));
    assertEquals(0, swept(WEEK).jobs());
    assertTrue(there(first));
  }

  @Test
  void aJobThatIsNotOverIsNeverDeleted() throws IOException {
    JobId waits = finished.waiting("ann", ago(30), Optional.empty());
    assertFalse(finished.store().deleteUnpinned(waits));
    Retention none = new Retention(Optional.of(Duration.ofMillis(1)), Optional.of(1L));
    finished.at(ago(20), 1);
    finished.at(ago(20), 1);
    assertEquals(2, swept(none).jobs());
    assertTrue(finished.store().find(waits).isPresent());
  }

  @Test
  void twoServersDeleteNoMoreThanOne() throws Exception {
    for (int i = 0; i < 60; i++) {
      finished.at(ago(60 - i), 1);
    }
    Retention twenty = new Retention(Optional.empty(), Optional.of(20L));
    try (JobStore other = store();
        ExecutorService both = Executors.newFixedThreadPool(2)) {
      List<Callable<RetentionSweep.Swept>> sweeps =
          List.of(
              () -> sweep(twenty, finished.store()).sweep(), () -> sweep(twenty, other).sweep());
      int deleted = 0;
      for (Future<RetentionSweep.Swept> swept : both.invokeAll(sweeps)) {
        deleted += swept.get().jobs();
      }
      assertEquals(40, deleted);
      assertEquals(20, finished.store().counts().get("CANCELLED"));
    }
  }

  @Test
  void aDownloadThatHasBegunComesToItsEnd() throws IOException {
    JobId old = finished.at(ago(8), 1_000_000);
    try (InputStream download =
        Files.newInputStream(folders.run(old).resolve("model.safetensors"))) {
      download.readNBytes(10);
      assertEquals(1, swept(WEEK).jobs());
      assertFalse(there(old));
      assertEquals(999_990, download.readAllBytes().length);
    }
  }

  @Test
  void whatAKilledServerLeftOfADeletedJobIsDeleted() throws IOException {
    JobId deleted = finished.at(ago(1), 10);
    JobId kept = finished.at(ago(1), 10);
    Path marks = folders.root().resolve(".deleted");
    Files.createDirectories(marks);
    Files.createFile(marks.resolve(deleted.text()));
    Files.createFile(marks.resolve(kept.text()));
    Files.createFile(marks.resolve("something"));
    assertTrue(finished.store().delete(deleted));
    new JobDeletion(finished.store(), folders).finish();
    assertFalse(there(deleted));
    assertTrue(there(kept));
    assertFalse(Files.exists(marks.resolve(deleted.text())));
  }

  @Test
  void itGoesOnByItselfAndEndsWithItsServer() throws Exception {
    JobId old = finished.at(ago(8), 10);
    try (RetentionSweep _ =
        RetentionSweep.start(WEEK, finished.store(), folders, Clock.fixed(NOW, ZoneOffset.UTC))) {
      for (int i = 0; i < 1000 && finished.store().find(old).isPresent(); i++) {
        Thread.sleep(20);
      }
    }
    assertFalse(there(old));
    assertTrue(
        Thread.getAllStackTraces().keySet().stream()
            .noneMatch(thread -> thread.getName().equals("halfcell-retention")));
  }
}
