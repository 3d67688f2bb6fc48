package dev.halfcell.zoo.job;

import java.util.Map;
import java.util.Optional;

/**
 * What tells jobs of one kind apart, as those of a sweep over seeds. Nothing that a specification
 * is held to or comes to depends on it, but that it is in it. A value; threads may share it.
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
  /** That of a specification. */
  public static Identity of(JobSpecification specification) {
    return new Identity(
        specification.name(),
        specification.labels(),
        specification.priority(),
        specification.training().seed());
  }

  /**
   * The kind of a specification: equal for all that differ by nothing else. A seed that is said is
   * 0, for one that is not said is filled in.
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
        kind.training().with(seed),
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
