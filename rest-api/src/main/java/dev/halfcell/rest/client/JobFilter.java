package dev.halfcell.rest.client;

import dev.halfcell.rest.job.JobState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which jobs a list is to hold.
 *
 * @param states any of these; all where there are none
 * @param labels all of these
 * @param network what they train
 * @param level their precision level
 * @param sort {@code newest}, {@code oldest} or {@code priority}
 * @param limit the most on a page, from 1 to 200
 */
public record JobFilter(
    List<JobState> states,
    Map<String, String> labels,
    Optional<String> network,
    Optional<String> level,
    Optional<String> sort,
    int limit) {
  private static final int USUAL = 50;

  public JobFilter {
    states = List.copyOf(states);
    labels = Map.copyOf(labels);
  }

  /** All jobs, the newest first. */
  public static JobFilter all() {
    return new JobFilter(
        List.of(), Map.of(), Optional.empty(), Optional.empty(), Optional.empty(), USUAL);
  }

  Query query() {
    Query query = new Query();
    states.forEach(state -> query.with("state", state.name()));
    new LinkedHashMap<>(labels).forEach((key, value) -> query.with("label", key + "=" + value));
    network.ifPresent(name -> query.with("network", name));
    level.ifPresent(name -> query.with("level", name));
    sort.ifPresent(order -> query.with("sort", order));
    return query.with("limit", String.valueOf(limit));
  }
}
