package dev.halfcell.optim;

import dev.halfcell.op.PathPattern;
import dev.halfcell.op.update.Schedule;
import dev.halfcell.tensor.ArgumentException;
import java.util.Optional;

/**
 * What is otherwise for the parameters whose paths match a pattern; what it does not name is the
 * optimizer's. Each method gives a changed copy.
 *
 * <pre>{@code
 * new AdamW(1e-3, 0.01)
 *     .groups(
 *         ParameterGroup.of("**}{@code /bias").weightDecay(0),
 *         ParameterGroup.of("**}{@code /gamma").weightDecay(0),
 *         ParameterGroup.of("/encoder/**").rateFactor(0.1),
 *         ParameterGroup.of("/embedding/**").frozen())
 * }</pre>
 *
 * @param pattern which paths
 * @param rate their learning rate, if it is another
 * @param decay their weight decay, if it is another
 * @param still whether they do not move at all: they get no gradient and have no slots
 */
public record ParameterGroup(
    PathPattern pattern, Optional<Rate> rate, Optional<Double> decay, boolean still) {
  /** How a group's learning rate comes about. */
  public sealed interface Rate {
    /** The rate where the optimizer's is {@code base}. */
    Schedule from(Schedule base);

    /** The optimizer's times a number. */
    record Factor(double factor) implements Rate {
      public Factor {
        var _ = new Schedule.Scaled(new Schedule.Constant(0), factor);
      }

      @Override
      public Schedule from(Schedule base) {
        return new Schedule.Scaled(base, factor);
      }
    }

    /** One of its own. */
    record Own(Schedule schedule) implements Rate {
      public Own {
        ArgumentException.require(
            schedule.plateau().isEmpty(),
            "learning rate of a group",
            "a schedule without a plateau, of which a run has one: the optimizer's",
            schedule);
      }

      @Override
      public Schedule from(Schedule base) {
        return schedule;
      }
    }
  }

  public ParameterGroup {
    ArgumentException.require(
        !still || (rate.isEmpty() && decay.isEmpty()),
        "parameter group " + pattern,
        "either frozen, or a rate and a decay",
        "both");
  }

  /** The parameters whose paths match a glob, moved as all others. */
  public static ParameterGroup of(String pattern) {
    return new ParameterGroup(new PathPattern(pattern), Optional.empty(), Optional.empty(), false);
  }

  /** With the optimizer's learning rate times {@code factor}. */
  public ParameterGroup rateFactor(double factor) {
    return new ParameterGroup(pattern, Optional.of(new Rate.Factor(factor)), decay, still);
  }

  /** With a learning rate of its own. */
  public ParameterGroup learningRate(Schedule schedule) {
    return new ParameterGroup(pattern, Optional.of(new Rate.Own(schedule)), decay, still);
  }

  /** With a weight decay of its own. */
  public ParameterGroup weightDecay(double weightDecay) {
    return new ParameterGroup(pattern, rate, Optional.of(weightDecay), still);
  }

  /** Not moved: no gradient is computed for them and no slots are kept. */
  public ParameterGroup frozen() {
    return new ParameterGroup(pattern, rate, decay, true);
  }
}
