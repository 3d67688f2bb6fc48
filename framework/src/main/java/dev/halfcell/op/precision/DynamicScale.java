package dev.halfcell.op.precision;

import dev.halfcell.tensor.ArgumentException;
import java.util.List;
import java.util.OptionalInt;

/**
 * A scale that follows the gradients. On overflow: scale · down, not under min, and the count
 * starts anew. On a clean step: one more; at {@code window} of them scale · up if that is at most
 * max, and the count starts anew. {@link ScaleHabits} says what else there is. Each method that is
 * not of {@link LossScale} gives a changed copy.
 *
 * <p>Source: Micikevicius et al., "Mixed Precision Training", ICLR 2018, section 3.2.
 *
 * @param init the scale of the first step; it may be above {@code max} unless growths are clipped
 * @param up what the scale grows by, above 1
 * @param down what the scale falls by, between 0 and 1
 * @param window clean applied steps before the scale grows
 * @param min the floor, above 0
 * @param max the ceiling for growth
 * @param habits what systems differ in
 */
public record DynamicScale(
    double init, double up, double down, int window, double min, double max, ScaleHabits habits)
    implements LossScale {
  /** The floor where none is wanted: the least number above 0 that FP32 holds. */
  public static final double NO_FLOOR = Float.MIN_VALUE;

  /** The ceiling where none is wanted: the largest number that FP32 holds. */
  public static final double NO_CEILING = Float.MAX_VALUE;

  public DynamicScale {
    LossScale.requirePositive("loss scale init", init);
    LossScale.requirePositive("loss scale min", min);
    LossScale.requirePositive("loss scale max", max);
    ArgumentException.require(
        up > 1 && Double.isFinite(up), "loss scale up", "a factor above 1", up);
    ArgumentException.require(
        down > 0 && down < 1, "loss scale down", "a factor between 0 and 1", down);
    ArgumentException.require(window >= 1, "loss scale window", "at least 1 step", window);
    ArgumentException.require(min <= max, "loss scale min", "at most max = " + max, min);
    ArgumentException.require(init >= min, "loss scale init", "at least min = " + min, init);
    ArgumentException.require(
        !habits.clips() || init <= max, "loss scale init", "at most max = " + max, init);
  }

  /** With this start. A floor above it is lowered to it. */
  public DynamicScale from(double scale) {
    return new DynamicScale(scale, up, down, window, Math.min(min, scale), max, habits);
  }

  /** With these factors. */
  public DynamicScale factors(double growth, double fall) {
    return new DynamicScale(init, growth, fall, window, min, max, habits);
  }

  /** With this factor for growths, and its reciprocal for falls. */
  public DynamicScale factor(double growth) {
    return factors(growth, 1 / growth);
  }

  /** With this window. */
  public DynamicScale window(int steps) {
    return new DynamicScale(init, up, down, steps, min, max, habits);
  }

  /** With this floor and ceiling. */
  public DynamicScale bounds(double floor, double ceiling) {
    return new DynamicScale(init, up, down, window, floor, ceiling, habits);
  }

  /** With these habits. */
  public DynamicScale habits(ScaleHabits others) {
    return new DynamicScale(init, up, down, window, min, max, others);
  }

  /** Falls at this overflow only, counted anew after each growth. */
  public DynamicScale hysteresis(int overflows) {
    return habits(habits.hysteresis(overflows));
  }

  @Override
  public State start() {
    return new State(init, 0, full());
  }

  @Override
  public State next(State now, Verdict verdict) {
    return verdict.finite() ? afterClean(now) : afterOverflow(now);
  }

  private State afterOverflow(State now) {
    double left = overflowsLeft(now);
    return left > 1
        ? new State(now.scale(), 0, List.of(left - 1))
        : new State(Math.max((float) min, (float) (now.scale() * down)), 0, now.words());
  }

  private State afterClean(State now) {
    long clean = now.clean() + 1;
    if (clean < (long) window + habits.late()) {
      return new State(now.scale(), clean, habits.consecutive() ? full() : now.words());
    }
    return new State(grown(now.scale()), habits.late() > 0 ? 1 : 0, full());
  }

  private double grown(double scale) {
    float grown = (float) (scale * up);
    float most = (float) max;
    if (habits.clips()) {
      return Math.min(grown, most);
    }
    return grown <= most ? grown : scale;
  }

  /** The words of a count that is full: of a hysteresis of 1 there is none. */
  private List<Double> full() {
    return habits.hysteresis() > 1 ? List.of((double) habits.hysteresis()) : List.of();
  }

  /** The overflows up to and including the one that lowers the scale. */
  private static double overflowsLeft(State now) {
    return now.words().isEmpty() ? 1 : now.words().getFirst();
  }

  @Override
  public OptionalInt mostOverflowsInARow() {
    return habits.mostOverflowsInARow();
  }

  @Override
  public boolean givesUpOnOverflow(State now) {
    return habits.givesUpAtFloor() && overflowsLeft(now) <= 1 && now.scale() <= (float) min;
  }
}
