package dev.halfcell.op.precision;

import dev.halfcell.tensor.ArgumentException;

/**
 * The rule of a loss scale, which never changes. Where it stands is a {@link State}, kept with a
 * run's other state. {@link #next} is pure; a device's kernel for {@link ScaleUpdate} is tested
 * against it.
 */
public sealed interface LossScale {
  /**
   * Where a scale stands.
   *
   * @param scale what the loss is multiplied by before the backward pass
   * @param clean applied steps since the scale last moved
   */
  record State(double scale, long clean) {}

  /** Where a run begins. */
  State start();

  /** The state after a step whose gradients were all finite, or not. */
  State next(State now, boolean finite);

  /** Whether the scale ever moves. */
  default boolean moves() {
    return true;
  }

  /** The loss as it is. */
  static LossScale none() {
    return new None();
  }

  /** A constant scale. */
  static LossScale fixed(double scale) {
    return new Fixed(scale);
  }

  /**
   * A scale that starts at 2¹⁶, halves on overflow and doubles after 2000 clean steps, from 1 to
   * 2²⁴.
   */
  static LossScale dynamic() {
    return Dynamic.from(0x1p16);
  }

  /** No scaling: 1 for ever. */
  record None() implements LossScale {
    @Override
    public boolean moves() {
      return false;
    }

    @Override
    public State start() {
      return new State(1, 0);
    }

    @Override
    public State next(State now, boolean finite) {
      return now;
    }
  }

  /** A constant scale; steps that overflow are still skipped. */
  record Fixed(double scale) implements LossScale {
    public Fixed {
      requirePositive("loss scale", scale);
    }

    @Override
    public boolean moves() {
      return false;
    }

    @Override
    public State start() {
      return new State(scale, 0);
    }

    @Override
    public State next(State now, boolean finite) {
      return now;
    }
  }

  /**
   * A scale that follows the gradients. On overflow: scale · down, not under min, and the count
   * starts anew. On a clean step: one more; at {@code window} of them scale · up if that is at most
   * max, and the count starts anew.
   *
   * <p>Source: Micikevicius et al., "Mixed Precision Training", ICLR 2018, section 3.2; the
   * defaults are PyTorch's GradScaler with a floor of 1 and a ceiling of 2²⁴.
   *
   * @param init the scale of the first step; it may be above {@code max}
   * @param up what the scale grows by, above 1
   * @param down what the scale falls by, between 0 and 1
   * @param window clean applied steps before the scale grows
   * @param min the floor, above 0
   * @param max the ceiling for growth
   */
  record Dynamic(double init, double up, double down, int window, double min, double max)
      implements LossScale {
    public Dynamic {
      requirePositive("loss scale init", init);
      requirePositive("loss scale min", min);
      requirePositive("loss scale max", max);
      ArgumentException.require(
          up > 1 && Double.isFinite(up), "loss scale up", "a factor above 1", up);
      ArgumentException.require(
          down > 0 && down < 1, "loss scale down", "a factor between 0 and 1", down);
      ArgumentException.require(window >= 1, "loss scale window", "at least 1 step", window);
      ArgumentException.require(min <= max, "loss scale min", "at most max = " + max, min);
      ArgumentException.require(init >= min, "loss scale init", "at least min = " + min, init);
    }

    /** The default rule with another start. */
    public static Dynamic from(double init) {
      return new Dynamic(init, 2, 0.5, 2000, Math.min(1, init), 0x1p24);
    }

    @Override
    public State start() {
      return new State(init, 0);
    }

    @Override
    public State next(State now, boolean finite) {
      if (!finite) {
        return new State(Math.max(min, now.scale() * down), 0);
      }
      if (now.clean() + 1 < window) {
        return new State(now.scale(), now.clean() + 1);
      }
      double grown = (float) (now.scale() * up);
      return new State(grown <= max ? grown : now.scale(), 0);
    }
  }

  private static void requirePositive(String option, double value) {
    ArgumentException.require(
        (float) value > 0 && Float.isFinite((float) value),
        option,
        "a finite number above 0 in fp32",
        value);
  }
}
