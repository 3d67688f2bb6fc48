package dev.halfcell.rest.service;

import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.JobSummary;
import dev.halfcell.rest.store.JobPage;
import dev.halfcell.rest.store.JobQuery;
import dev.halfcell.rest.store.JobStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * How many bytes the files of jobs hold, counted now and then. The files of a job that is over do
 * not change and are counted once. Threads may share it.
 */
final class StoredBytes {
  private static final int PAGE = 200;

  private final JobStore store;
  private final JobFolders folders;
  private Map<JobId, Long> over = Map.of();
  private Counted last = new Counted(Map.of(), Long.MIN_VALUE);

  /**
   * What was found.
   *
   * @param owners bytes by owner
   * @param at when, in nanoseconds of this process
   */
  record Counted(Map<String, Long> owners, long at) {
    long all() {
      return owners.values().stream().mapToLong(Long::longValue).sum();
    }

    long of(String owner) {
      return owners.getOrDefault(owner, 0L);
    }
  }

  StoredBytes(JobStore store, JobFolders folders) {
    this.store = store;
    this.folders = folders;
  }

  /** What there is, or was so long ago at the most. */
  synchronized Counted counted(Duration ago) {
    if (last.at() == Long.MIN_VALUE || System.nanoTime() - last.at() > ago.toNanos()) {
      last = count();
    }
    return last;
  }

  private Counted count() {
    Map<String, Long> owners = new HashMap<>();
    Map<JobId, Long> ended = new HashMap<>();
    Optional<String> next = Optional.empty();
    do {
      JobPage page = store.list(page(next));
      for (JobSummary job : page.jobs()) {
        owners.merge(job.owner(), bytes(job, ended), Long::sum);
      }
      next = page.next();
    } while (next.isPresent());
    over = ended;
    return new Counted(owners, System.nanoTime());
  }

  private long bytes(JobSummary job, Map<JobId, Long> ended) {
    if (!job.state().terminal()) {
      return FolderSize.of(folders.of(job.id()));
    }
    Long known = over.get(job.id());
    long bytes = known == null ? FolderSize.of(folders.of(job.id())) : known;
    ended.put(job.id(), bytes);
    return bytes;
  }

  private static JobQuery page(Optional<String> after) {
    return new JobQuery(
        Optional.empty(),
        Set.of(),
        Map.of(),
        Optional.empty(),
        Optional.empty(),
        JobQuery.Order.OLDEST,
        after,
        PAGE);
  }
}
