package dev.halfcell.rest.store;

import dev.halfcell.rest.job.EventKind;
import dev.halfcell.rest.job.JobProgress;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a worker tells of its training.
 *
 * @param pid its process, where it is told for the first time
 * @param fromStep the steps behind it when it began, where it is told for the first time
 * @param progress how far it is
 * @param metrics latest values; others stay as they are
 * @param events what happened, in its order
 */
public record Report(
    Optional<Long> pid,
    Optional<Long> fromStep,
    Optional<JobProgress> progress,
    Map<String, Double> metrics,
    List<Happened> events) {
  public Report {
    metrics = Map.copyOf(metrics);
    events = List.copyOf(events);
  }

  /** Whether it says nothing, as one that only asks whether the fence still holds. */
  public boolean empty() {
    return pid.isEmpty()
        && fromStep.isEmpty()
        && progress.isEmpty()
        && metrics.isEmpty()
        && events.isEmpty();
  }

  /**
   * An event that has no number yet.
   *
   * @param data a JSON object
   */
  public record Happened(Instant at, EventKind kind, String data) {}
}
