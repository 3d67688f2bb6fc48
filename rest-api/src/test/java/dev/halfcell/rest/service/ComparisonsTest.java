package dev.halfcell.rest.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.job.JobSummary;
import dev.halfcell.rest.store.AcceptLimits;
import dev.halfcell.rest.store.JobStore;
import dev.halfcell.rest.store.NewJob;
import dev.halfcell.rest.store.SqlJobStore;
import dev.halfcell.rest.store.StoreSettings;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Comparisons in a queue that has no room for all of their jobs. */
final class ComparisonsTest {
  private static final String LENET = "{\"network\": {\"name\": \"lenet5\"}}";

  @TempDir private Path folder;

  private static final Workers NOBODY =
      new Workers() {
        @Override
        public void queueChanged() {}

        @Override
        public void stop(dev.halfcell.rest.job.JobId job, Stop why) {}
      };

  private static Comparisons comparisons(JobStore store, Admission admission, AcceptLimits limits) {
    return new Comparisons(
        store,
        new Submissions(
            store,
            NOBODY,
            admission,
            new Quotas(Quotas.Limits.none(), store, new JobFolders(Path.of("none")), admission),
            limits,
            Clock.systemUTC()));
  }

  private static Comparisons.Made submit(Comparisons to, Optional<NewJob.Key> key) {
    return to.submit(
        Caller.local(), LENET, List.of("O0", "O2"), List.of(1L, 2L), key, Optional.empty());
  }

  private static long all(JobStore store) {
    return store.counts().values().stream().mapToLong(Long::longValue).sum();
  }

  @Test
  void whereTheQueueIsFullAfterSomeOfItsJobsNothingIsLeftOfIt() {
    try (JobStore store =
            SqlJobStore.open(new StoreSettings.Sqlite(folder.resolve("jobs.sqlite")));
        Admission admission = new Admission(new Admission.Limits(1L << 32, 1L << 32))) {
      for (AcceptLimits limits :
          List.of(new AcceptLimits(3, 99), new AcceptLimits(99, 3), new AcceptLimits(0, 0))) {
        for (Optional<NewJob.Key> key :
            List.of(Optional.<NewJob.Key>empty(), Optional.of(new NewJob.Key("k", "r")))) {
          Comparisons full = comparisons(store, admission, limits);
          RefusedException refused = assertThrows(RefusedException.class, () -> submit(full, key));
          assertEquals(RefusedException.Kind.TOO_MUCH, refused.kind());
          assertTrue(refused.detail().contains("you sent 4"), refused.detail());
          assertEquals(0, all(store));
        }
      }
      Comparisons roomy = comparisons(store, admission, new AcceptLimits(4, 4));
      Optional<NewJob.Key> key = Optional.of(new NewJob.Key("k", "r"));
      Comparisons.Made made = submit(roomy, key);
      assertEquals(
          List.of("O0", "O0", "O2", "O2"),
          roomy.of(Caller.local(), made.id()).stream().map(JobSummary::level).toList());
      assertEquals(new Comparisons.Made(made.id(), true), submit(roomy, key));
      assertEquals(4, all(store));
    }
  }
}
