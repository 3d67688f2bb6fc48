package dev.halfcell.zoo.job;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What tells jobs of one kind apart, as those of a sweep over seeds. Each part is right or wrong by
 * itself, and what the rest of a specification comes to does not depend on it. A value; threads may
 * share it.
 *
 * @param name what people call the run
 * @param labels what they find it by
 * @param priority when it goes
 * @param seed what its random numbers follow from
 */
public record Identity(
    Optional<String> name,
    Map<String, String> labels,
    Optional<Integer> priority,
    Optional<Long> seed) {
  public Identity {
    labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
  }

  /** That of a specification. */
  public static Identity of(JobSpecification specification) {
    return new Identity(
        specification.name(),
        specification.labels(),
        specification.priority(),
        specification.training().seed());
  }

  /**
   * The kind of a specification: equal for all that differ by nothing else. A seed that is said
   * becomes 0; one that is not said stays so, for resolution fills in the usual one.
   */
  public static JobSpecification kind(JobSpecification of) {
    return new Identity(
            Optional.empty(), Map.of(), Optional.empty(), of.training().seed().map(_ -> 0L))
        .on(of);
  }

  /** A specification of the same kind that has this. */
  public JobSpecification on(JobSpecification kind) {
    return new JobSpecification(
        name,
        labels,
        kind.network(),
        kind.dataset(),
        kind.precision(),
        kind.training().withSeed(seed),
        kind.checkpoint(),
        kind.logs(),
        kind.device(),
        kind.resources(),
        priority,
        kind.timeout(),
        kind.queueTimeout(),
        kind.stopGraceSeconds(),
        kind.retries());
  }
}
