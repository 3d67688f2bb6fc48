package dev.halfcell.op.update;

import dev.halfcell.tensor.ArgumentException;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * How a learning rate follows the applied steps: pure, and so held where a step is skipped. The
 * first step is the one with {@code applied} = 0. Behind its end a schedule keeps its last rate.
 */
public sealed interface Schedule
    permits Schedule.Constant,
        Schedule.Cosine,
        Schedule.Exponential,
        OneCycle,
        Schedule.Piecewise,
        Plateau,
        Schedule.Polynomial,
        Schedule.Scaled,
        Schedule.StepDecay,
        Schedule.WarmUp {
  /** The rate of the step before which {@code applied} steps were applied. */
  double rate(long applied);

  /** The rule by which the host scales the rate between epochs, if this has one. */
  default Optional<Plateau> plateau() {
    return Optional.empty();
  }

  /** The same rate for ever. */
  record Constant(double rate) implements Schedule {
    public Constant {
      requireRate(rate);
    }

    @Override
    public double rate(long applied) {
      return rate;
    }
  }

  /**
   * A rate that rises evenly to that with which another schedule begins, and then follows it from
   * its beginning: then.rate(0) · (applied + 1) / steps while applied is below steps, then.rate(
   * applied − steps). Source: Goyal et al., "Accurate, Large Minibatch SGD", 2017, section 2.2.
   */
  record WarmUp(int steps, Schedule then) implements Schedule {
    public WarmUp {
      requireSteps("warm-up steps", steps);
    }

    @Override
    public double rate(long applied) {
      return applied < steps
          ? then.rate(0) * ((applied + 1.0) / steps)
          : then.rate(applied - steps);
    }

    @Override
    public Optional<Plateau> plateau() {
      return then.plateau();
    }
  }

  /** Another schedule times {@code factor}. */
  record Scaled(Schedule schedule, double factor) implements Schedule {
    public Scaled {
      ArgumentException.require(
          factor >= 0 && Double.isFinite(factor),
          "learning-rate factor",
          "a finite number, at least 0",
          factor);
    }

    @Override
    public double rate(long applied) {
      return schedule.rate(applied) * factor;
    }

    @Override
    public Optional<Plateau> plateau() {
      return schedule.plateau();
    }
  }

  /** A rate that is multiplied every so many steps: rate · factor^⌊applied / every⌋. */
  record StepDecay(double rate, int every, double factor) implements Schedule {
    public StepDecay {
      requireRate(rate);
      requireSteps("steps between decays", every);
      requireDecay(factor);
    }

    @Override
    public double rate(long applied) {
      long decays = applied / every;
      return rate * Math.pow(factor, (double) decays);
    }
  }

  /** A rate that is multiplied a little at each step: rate · factor^(applied / every). */
  record Exponential(double rate, int every, double factor) implements Schedule {
    public Exponential {
      requireRate(rate);
      requireSteps("steps of a decay", every);
      requireDecay(factor);
    }

    @Override
    public double rate(long applied) {
      return rate * Math.pow(factor, (double) applied / every);
    }
  }

  /**
   * A rate for each stretch of steps: {@code rates[i]} from step {@code starts[i]} on. Source:
   * MindSpore, nn.piecewise_constant_lr, where a stretch is given by its end.
   *
   * @param starts the first is 0, each is above the one before it
   */
  record Piecewise(List<Long> starts, List<Double> rates) implements Schedule {
    public Piecewise {
      starts = List.copyOf(starts);
      rates = List.copyOf(rates);
      rates.forEach(Schedule::requireRate);
      List<Long> in = starts;
      ArgumentException.require(
          !starts.isEmpty()
              && starts.getFirst() == 0
              && IntStream.range(1, starts.size()).allMatch(i -> in.get(i - 1) < in.get(i)),
          "starts of a piecewise rate",
          "0 first, then steps that rise",
          starts);
      ArgumentException.require(
          rates.size() == starts.size(),
          "rates of a piecewise rate",
          "as many as its " + starts.size() + " starts",
          rates);
    }

    @Override
    public double rate(long applied) {
      int stretch = 0;
      while (stretch + 1 < starts.size() && starts.get(stretch + 1) <= applied) {
        stretch++;
      }
      return rates.get(stretch);
    }
  }

  /**
   * Half a cosine from {@code rate} down to {@code end}: end + (rate − end) · (1 + cos(π · share))
   * / 2 with share = min(applied, steps) / steps. Source: Loshchilov and Hutter, "SGDR", ICLR 2017,
   * equation 5, without restarts.
   */
  record Cosine(double rate, int steps, double end) implements Schedule {
    public Cosine {
      requireRate(rate);
      requireSteps("steps of a cosine", steps);
      requireEnd(end, rate);
    }

    @Override
    public double rate(long applied) {
      return end + (rate - end) * (1 + Math.cos(Math.PI * share(applied, steps))) / 2;
    }
  }

  /**
   * A power of what is left: end + (rate − end) · (1 − min(applied, steps) / steps)^power; with a
   * power of 1 a straight line. Source: Liu, Rabinovich and Berg, "ParseNet", 2015, section 4.
   */
  record Polynomial(double rate, int steps, double end, double power) implements Schedule {
    public Polynomial {
      requireRate(rate);
      requireSteps("steps of a polynomial", steps);
      requireEnd(end, rate);
      ArgumentException.require(
          power > 0 && Double.isFinite(power),
          "power of a polynomial",
          "a finite number above 0",
          power);
    }

    @Override
    public double rate(long applied) {
      return end + (rate - end) * Math.pow(1 - share(applied, steps), power);
    }
  }

  private static double share(long applied, int steps) {
    return (double) Math.min(applied, steps) / steps;
  }

  /** Zero is allowed: such a parameter stays, and its slots move. */
  static void requireRate(double rate) {
    ArgumentException.require(
        rate >= 0 && Float.isFinite((float) rate),
        "learning rate",
        "a finite number, at least 0",
        rate);
  }

  private static void requireEnd(double end, double rate) {
    ArgumentException.require(
        end >= 0 && end <= rate, "last learning rate", "0 to the first, " + rate, end);
  }

  private static void requireSteps(String what, int steps) {
    ArgumentException.require(steps >= 1, what, "at least 1", steps);
  }

  private static void requireDecay(double factor) {
    ArgumentException.require(
        factor > 0 && factor <= 1, "learning-rate factor", "above 0, at most 1", factor);
  }
}
