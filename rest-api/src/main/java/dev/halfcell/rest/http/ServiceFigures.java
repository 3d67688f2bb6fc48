package dev.halfcell.rest.http;

import dev.halfcell.rest.job.JobState;
import dev.halfcell.rest.service.WorkerFigures;
import dev.halfcell.rest.store.JobStore;
import java.util.Map;
import java.util.function.Supplier;

/** The figures of the service itself. */
final class ServiceFigures {
  private static final long KEPT_NANOSECONDS = 1_000_000_000;

  private ServiceFigures() {}

  static void measure(
      Figures figures, JobStore store, StreamLimit streams, Connections connections) {
    figures.gauge("halfcell.http.connections", "Connections now.", connections::open);
    figures.gauge("halfcell.http.streams", "Streams of events and logs now.", streams::open);
    Counts counts = new Counts(store);
    for (JobState state : JobState.values()) {
      figures.gauge(
          "halfcell.jobs",
          "Jobs by state.",
          "state",
          state.name(),
          () -> counts.get().getOrDefault(state.name(), 0L));
    }
  }

  static void measure(Figures figures, Supplier<WorkerFigures> workers) {
    figures.gauge(
        "halfcell.workers", "Jobs that train on this server now.", () -> workers.get().running());
    figures.gauge(
        "halfcell.workers.resident.bytes",
        "Memory that they hold together.",
        () -> workers.get().residentBytes());
    figures.counter(
        "halfcell.workers.refused",
        "Connections to the socket of workers that were refused.",
        workers,
        it -> it.get().refusedConnections());
  }

  /** One look into the store for all states. Threads may share it. */
  private static final class Counts implements Supplier<Map<String, Long>> {
    private final JobStore store;
    private Map<String, Long> counts = Map.of();
    private long at = System.nanoTime() - KEPT_NANOSECONDS;

    Counts(JobStore store) {
      this.store = store;
    }

    @Override
    public synchronized Map<String, Long> get() {
      if (System.nanoTime() - at >= KEPT_NANOSECONDS) {
        counts = store.counts();
        at = System.nanoTime();
      }
      return counts;
    }
  }
}
