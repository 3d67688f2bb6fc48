package dev.halfcell.rest.service;

import dev.halfcell.rest.job.JobId;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The curves that were asked for last. Who watches a training asks for its curves again and again;
 * of a million steps only the new ones are read then. Threads may share it.
 */
public final class KnownSeries {
  private static final int KEPT = 16;

  private final Map<Key, GrowingSeries> newest =
      new LinkedHashMap<>(KEPT, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, GrowingSeries> eldest) {
          return size() > KEPT;
        }
      };

  private record Key(JobId job, int most) {}

  /**
   * The series of all steps of a job.
   *
   * @param metrics where its run writes them
   * @param most at most so many points, at least 2
   */
  public Series of(JobId job, Path metrics, int most) {
    return known(new Key(job, most)).read(metrics);
  }

  private synchronized GrowingSeries known(Key key) {
    return newest.computeIfAbsent(key, _ -> new GrowingSeries(key.most()));
  }
}
