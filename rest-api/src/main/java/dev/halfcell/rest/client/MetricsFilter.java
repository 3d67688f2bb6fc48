package dev.halfcell.rest.client;

import java.util.Optional;

/**
 * Which part of a job's curves is wanted, and how finely.
 *
 * @param from the first step; that of the job where there is none
 * @param to the last step; that of the job where there is none
 * @param points the most of each curve, from 2 to 2,000; where there are more steps a point stands
 *     for several
 */
public record MetricsFilter(Optional<Long> from, Optional<Long> to, int points) {
  private static final int MOST = 2000;

  /** All steps, as finely as they are told. */
  public static MetricsFilter all() {
    return new MetricsFilter(Optional.empty(), Optional.empty(), MOST);
  }

  /** The same of these steps alone, both of them included. */
  public MetricsFilter withSteps(long first, long last) {
    return new MetricsFilter(Optional.of(first), Optional.of(last), points);
  }

  /** The same with at most so many points. */
  public MetricsFilter withPoints(int most) {
    return new MetricsFilter(from, to, most);
  }

  Query query() {
    Query query = new Query();
    from.ifPresent(step -> query.with("from", String.valueOf(step)));
    to.ifPresent(step -> query.with("to", String.valueOf(step)));
    return query.with("points", String.valueOf(points));
  }
}
