package dev.halfcell.rest.store;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.JobSummary;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How fast the stores are; the lines that it prints are the figures. */
@Tag("slow")
@Tag("Ray-35202")
@Tag("Ray-55010")
@Tag("MLflow-11260")
final class StoreSpeedTest {
  private static final int JOBS = 10_000;
  private static final int CLIENTS = 16;

  @TempDir Path folder;

  @Test
  void sqlite() throws Exception {
    measure("SQLite", new StoreSettings.Sqlite(folder.resolve("jobs.db")));
  }

  @Test
  void postgres() throws Exception {
    try (PostgresServer server = PostgresServer.start()) {
      measure("PostgreSQL", server.settings());
    }
  }

  private static void measure(String name, StoreSettings settings) throws Exception {
    SqlJobStore.open(settings).close(); // makes the tables
    try (JobStore store = SqlJobStore.open(settings)) {
      double accepts = accepts(name, store, Integer.getInteger("halfcell.store.jobs", JOBS));
      pages(name, store);
      finds(name, store);
      claims(name, store);
      assertTrue(accepts >= 200, () -> accepts + " durable accepts a second");
    }
    long start = System.nanoTime();
    SqlJobStore.open(settings).close();
    say(
        String.format(
            Locale.ROOT,
            name + ": opened and closed in %.0f ms",
            (System.nanoTime() - start) / 1e6));
  }

  private static double accepts(String name, JobStore store, int jobs) throws Exception {
    AtomicInteger next = new AtomicInteger();
    long[] times = new long[jobs];
    long start = System.nanoTime();
    AcceptContract.together(
        CLIENTS,
        _ -> {
          for (int i = next.getAndIncrement(); i < jobs; i = next.getAndIncrement()) {
            NewJob job = Jobs.job("o" + i % 5, i % 3, 1 << 20, Jobs.at(i));
            long before = System.nanoTime();
            store.accept(Jobs.keyed(job, "key" + i, "request"), Jobs.NO_LIMITS);
            times[i] = System.nanoTime() - before;
          }
          return true;
        });
    double rate = jobs / ((System.nanoTime() - start) / 1e9);
    say(
        String.format(
            Locale.ROOT,
            name + ": %.0f accepts/s of %d threads, each on the disk, p50 %.1f ms, p99 %.1f ms",
            rate,
            CLIENTS,
            percentile(times, 0.5),
            percentile(times, 0.99)));
    return rate;
  }

  private static void pages(String name, JobStore store) {
    for (JobQuery.Order order : JobQuery.Order.values()) {
      Optional<String> middle = Optional.empty();
      for (int i = 0; i < 20; i++) {
        middle = store.list(Jobs.all(order, middle, 100)).next().or(() -> Optional.empty());
      }
      Optional<String> after = middle;
      requirePage(
          times(
              name + ": page of 50 jobs by " + order, i -> store.list(Jobs.all(order, after, 50))));
    }
    requirePage(
        times(
            name + ": page of 200 jobs",
            i -> store.list(Jobs.all(JobQuery.Order.NEWEST, Optional.empty(), 200))));
    var _ = times(name + ": counts", i -> store.counts());
  }

  /** However many jobs there are, a page of them costs what the page costs. */
  private static void requirePage(double milliseconds) {
    assertTrue(milliseconds <= 20, () -> milliseconds + " ms for a page");
  }

  private static void finds(String name, JobStore store) throws Exception {
    List<JobId> ids =
        store.list(Jobs.all(JobQuery.Order.NEWEST, Optional.empty(), 200)).jobs().stream()
            .map(JobSummary::id)
            .toList();
    var _ = times(name + ": find", i -> store.find(ids.get(i % ids.size())));
    int each = 2_000;
    long start = System.nanoTime();
    AcceptContract.together(
        4,
        thread -> {
          for (int i = 0; i < each; i++) {
            store.find(ids.get((i + thread) % ids.size()));
          }
          return true;
        });
    say(
        String.format(
            Locale.ROOT,
            name + ": %.0f finds/s of 4 threads",
            4 * each / ((System.nanoTime() - start) / 1e9)));
  }

  private static void claims(String name, JobStore store) {
    var _ = times(name + ": claim at a full queue", i -> store.claim(Jobs.claim("s", i)));
  }

  /** The median in milliseconds. */
  private static double times(String what, IntConsumer work) {
    long[] times = new long[300];
    for (int i = -200; i < times.length; i++) {
      long start = System.nanoTime();
      work.accept(i + 200);
      times[Math.max(i, 0)] = System.nanoTime() - start;
    }
    say(
        String.format(
            Locale.ROOT,
            what + ": p50 %.2f ms, p99 %.2f ms",
            percentile(times, 0.5),
            percentile(times, 0.99)));
    return percentile(times, 0.5);
  }

  private static double percentile(long[] times, double part) {
    long[] sorted = times.clone();
    Arrays.sort(sorted);
    return sorted[(int) (part * (sorted.length - 1))] / 1e6;
  }

  private static void say(String what) {
    System.out.println(what);
  }
}
