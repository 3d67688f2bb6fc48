package dev.halfcell.rest.store;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.halfcell.rest.job.Job;
import java.sql.SQLException;

/**
 * The jobs that were read last, with the texts that they were read from. A job is read far more
 * often than it changes, and to look into its texts takes longer than to get them.
 */
final class KnownJobs {
  private static final long MOST_CHARACTERS = 4 << 20;

  private final Cache<String, Known> known =
      Caffeine.newBuilder()
          .maximumWeight(MOST_CHARACTERS)
          .weigher((String _, Known one) -> one.sealed().length())
          .executor(Runnable::run)
          .build();

  private record Known(SealedJob sealed, Job job) {}

  /** What a job says; the same object for as long as its texts are the same. */
  Job open(SealedJob sealed) throws SQLException {
    Known before = known.getIfPresent(sealed.row().id());
    if (before != null && before.sealed().equals(sealed)) {
      return before.job();
    }
    Job job = sealed.open();
    known.put(sealed.row().id(), new Known(sealed, job));
    return job;
  }
}
