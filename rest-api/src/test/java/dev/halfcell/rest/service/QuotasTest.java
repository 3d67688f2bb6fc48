package dev.halfcell.rest.service;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.store.JobStore;
import dev.halfcell.rest.store.SqlJobStore;
import dev.halfcell.rest.store.StoreSettings;
import dev.halfcell.zoo.job.CheckedSpecification;
import dev.halfcell.zoo.job.JobSpecification;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What jobs may take, row P53 of reliability.md. */
final class QuotasTest {
  @TempDir private Path folder;

  private Quotas quotas(Quotas.Limits limits, JobStore store, Admission admission) {
    return new Quotas(limits, store, new JobFolders(folder.resolve("jobs")), admission);
  }

  private static void refused(Runnable what, RefusedException.Kind kind, String... figures) {
    RefusedException refusal = assertThrows(RefusedException.class, what::run);
    assertEquals(kind, refusal.kind());
    for (String figure : figures) {
      assertTrue(refusal.detail().contains(figure), refusal.detail());
    }
  }

  @Test
  void filesOfJobsHaveABoundOfTheirOwnerAndOneOfAll() throws Exception {
    try (JobStore store = open();
        Admission admission = new Admission(new Admission.Limits(1L << 32, 1L << 32))) {
      Finished finished = new Finished(store, new JobFolders(folder.resolve("jobs")));
      JobId large = finished.at(Instant.now(), 3_000_000);
      finished.at(Instant.now(), 2_000_000);
      Quotas owner =
          quotas(
              new Quotas.Limits(Optional.empty(), Optional.of(5_000_000L), Optional.empty()),
              store,
              admission);
      refused(
          () -> owner.requireRoom("ann"),
          RefusedException.Kind.TOO_MUCH,
          "your jobs",
          "(5000000 bytes)");
      owner.requireRoom("bob");
      Quotas all =
          quotas(
              new Quotas.Limits(Optional.of(4_000_000L), Optional.empty(), Optional.empty()),
              store,
              admission);
      refused(
          () -> all.requireRoom("bob"),
          RefusedException.Kind.TOO_MUCH,
          "all jobs",
          "(5000000 bytes)",
          "(4000000 bytes)");
      assertTrue(
          new JobDeletion(store, finished.folders()).delete(large, store::delete).isPresent());
      Thread.sleep(600); // figures by which somebody is refused are no older than half a second
      assertDoesNotThrow(() -> all.requireRoom("bob"));
      assertDoesNotThrow(() -> owner.requireRoom("ann"));
    }
  }

  private JobStore open() throws IOException {
    return SqlJobStore.open(new StoreSettings.Sqlite(folder.resolve("jobs.sqlite")));
  }

  @Test
  void aTrainingHasABoundOfItsOperations() throws Exception {
    try (JobStore store = open();
        Admission admission = new Admission(new Admission.Limits(1L << 32, 1L << 32))) {
      JobSpecification lenet = JobSpecification.of("lenet5").with("/training/steps", 1000);
      JobSpecification resolved = admission.admit(CheckedSpecification.of(lenet)).resolved();
      Preview.Length length = new Preview(admission).length(resolved);
      double flops = length.flops().orElseThrow() * 1000.0;
      Quotas.Limits just =
          new Quotas.Limits(Optional.empty(), Optional.empty(), Optional.of(flops));
      quotas(just, store, admission).requireFlops(resolved);
      Quotas less =
          quotas(
              new Quotas.Limits(Optional.empty(), Optional.empty(), Optional.of(flops * 0.999)),
              store,
              admission);
      refused(
          () -> less.requireFlops(resolved),
          RefusedException.Kind.INVALID,
          "/training",
          "1000 steps",
          String.format(Locale.ROOT, "%.3g", flops));
    }
  }
}
