package dev.halfcell.zoo.job;

import dev.halfcell.tensor.ArgumentException;

/**
 * A specification in which nothing is wrong.
 *
 * @param said as it was said
 * @param resolved with all defaults filled in
 */
public record CheckedSpecification(JobSpecification said, JobSpecification resolved) {
  /**
   * One that Java put together.
   *
   * @throws ArgumentException where what is said does not fit together, or to the network
   */
  public static CheckedSpecification of(JobSpecification said) {
    return new CheckedSpecification(said, said.resolved());
  }
}
