package dev.halfcell.rest.store;

import dev.halfcell.rest.job.JobState;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which jobs are wanted.
 *
 * @param owner whose; all owners' where empty
 * @param states in one of these; in any where empty
 * @param labels that have all of these
 * @param network that train this
 * @param level at this level
 * @param order how they are sorted
 * @param after the cursor of the page before
 * @param limit at most so many
 */
public record JobQuery(
    Optional<String> owner,
    Set<JobState> states,
    Map<String, String> labels,
    Optional<String> network,
    Optional<String> level,
    Order order,
    Optional<String> after,
    int limit) {
  public JobQuery {
    states = Set.copyOf(states);
    labels = Map.copyOf(labels);
  }

  /** By what they are sorted; equals by their id. */
  public enum Order {
    /** The newest first. */
    NEWEST,
    /** The oldest first. */
    OLDEST,
    /** The highest priority first, then the oldest. */
    PRIORITY
  }
}
