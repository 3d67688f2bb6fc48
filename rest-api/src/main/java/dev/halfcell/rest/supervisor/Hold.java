package dev.halfcell.rest.supervisor;

import dev.halfcell.rest.store.JobStore;
import java.time.Instant;

/**
 * A server's hold on its jobs. Where it could not be renewed for as long as it lasts, other servers
 * may take the jobs, and this one must not train them any more. One thread renews it; others may
 * ask.
 */
final class Hold {
  private final WorkerSettings settings;
  private final JobStore store;
  private volatile long renewedAt = System.nanoTime();

  Hold(WorkerSettings settings, JobStore store) {
    this.settings = settings;
    this.store = store;
  }

  /** When one that is taken now ends. */
  Instant end() {
    return Instant.now().plus(settings.timing().lease());
  }

  void renew() {
    long now = System.nanoTime();
    store.renew(settings.server(), end());
    renewedAt = now;
  }

  /** Whether nothing holds the jobs any more. */
  boolean over() {
    return store.shared() && System.nanoTime() - renewedAt > settings.timing().lease().toNanos();
  }
}
