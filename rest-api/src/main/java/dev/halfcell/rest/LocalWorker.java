package dev.halfcell.rest;

import dev.halfcell.rest.service.EventHub;
import dev.halfcell.rest.service.RunningWorkers;
import dev.halfcell.rest.store.JobStore;
import java.util.Optional;

/**
 * A server of this machine without HTTP: it takes jobs from a queue that servers share, and trains
 * them. Whoever submits them asks another server.
 */
public final class LocalWorker implements AutoCloseable {
  private final LocalParts parts;
  private final JobStore store;
  private final RunningWorkers workers;

  private LocalWorker(LocalParts parts, JobStore store, RunningWorkers workers) {
    this.parts = parts;
    this.store = store;
    this.workers = workers;
  }

  /**
   * Takes the folder, gives back to the queue what an earlier life left, and begins to take jobs.
   *
   * @throws dev.halfcell.tensor.HalfCellException where a part cannot be had, saying which
   */
  public static LocalWorker start(LocalWorkerSettings settings) {
    LocalParts parts =
        LocalParts.take(
            new LocalParts.Told(
                settings.data(),
                settings.workers(),
                settings.settingsFile(),
                Optional.of(settings.artifacts()),
                settings.store()));
    try {
      JobStore store = parts.open();
      try {
        // Nobody follows events here: servers with HTTP read them from the store.
        return new LocalWorker(parts, store, parts.start(store, new EventHub()));
      } catch (RuntimeException | Error e) {
        store.close();
        throw e;
      }
    } catch (RuntimeException | Error e) {
      parts.close();
      throw e;
    }
  }

  /** By which attempts say who made them; the same at each start on one folder. */
  public String name() {
    return parts.directory().server();
  }

  /** How many jobs train at once. */
  public int slots() {
    return parts.slots();
  }

  /** Takes no more jobs, has those that run save their state, gives them back, and ends. */
  @Override
  public void close() {
    try (parts;
        store;
        workers) {
      workers.drain(LocalParts.DRAIN);
    }
  }
}
