package dev.halfcell.rest.http;

import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * How fast an owner may submit: so many jobs a second in the long run, and so many at once. Each
 * request takes one before its body is read, so that a flood of bodies that make no sense is
 * refused too; one that makes several jobs takes the rest behind that. Threads may share it.
 */
final class SubmitRate {
  private final double perSecond;
  private final double atOnce;
  private final RateLimit owners;

  /**
   * One for all owners.
   *
   * @param clock nanoseconds
   */
  SubmitRate(HttpServerSettings.Limits limits, LongSupplier clock) {
    perSecond = limits.submitsPerSecond();
    atOnce = limits.submitsAtOnce();
    owners = new RateLimit(perSecond, atOnce, clock);
  }

  /** Takes one job of an owner; refused where none is left. */
  void takeFirst(String owner) {
    if (!owners.take(owner, 1)) {
      throw Refusal.of(ProblemKind.TOO_MANY, "No more than " + perSecond + " jobs a second.");
    }
  }

  /**
   * Takes the other jobs of a request whose first is taken; where so many are not left, that one is
   * given back and all is refused. More than there may be at once count as that, or they could
   * never be made: what they are more is not slowed down, and what a request may ask for bounds it.
   */
  void takeOthers(String owner, int jobs) {
    if (!owners.take(owner, Math.min(jobs, atOnce) - 1)) {
      owners.giveBack(owner, 1);
      throw Refusal.of(
          ProblemKind.TOO_MANY,
          String.format(
              Locale.ROOT,
              "It makes %d jobs, and %d of yours may be submitted now: no more than %s a second,"
                  + " and %.0f at once.",
              jobs,
              (long) owners.left(owner),
              perSecond,
              atOnce));
    }
  }
}
