package dev.halfcell.zoo;

import dev.halfcell.op.update.Schedule;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Problem;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * How the learning rate follows the steps of a run, said before the run's length is known:
 *
 * <pre>{@code
 * [warm-up=LENGTH+]NAME[:KEY=VALUE[,KEY=VALUE]...]
 *
 * constant
 * step:every=LENGTH[,factor=0.1]
 * exponential:every=LENGTH[,factor=0.1]
 * cosine[:end=0]
 * linear[:end=0]
 * polynomial[:power=2,end=0]
 * one-cycle[:rise=0.3,start-divisor=25,end-divisor=10000]
 * piecewise:LENGTH=FACTOR[,LENGTH=FACTOR]...
 * plateau[:factor=0.1,patience=10,threshold=0.0001,least=0]
 * }</pre>
 *
 * <p>A LENGTH is a whole number of steps, or a share of the run, as in 30%. Factors and ends are
 * multiples of the learning rate. What a key may be left out for stands above as its value; keys
 * mean what the parameters of the {@link Schedule} of that name mean. The steps of a warm-up are
 * not part of what follows it. Of two pieces that begin at one step the later in the text counts.
 *
 * @param text the form above
 */
public record RunSchedule(String text) {
  /** The learning rate as it is. */
  public static final RunSchedule CONSTANT = new RunSchedule("constant");

  private static final String WARM_UP = "warm-up=";

  public RunSchedule {
    // Whatever can be wrong without knowing the run is found at once.
    new Parts(text).over(Integer.MAX_VALUE, 1);
  }

  /**
   * The schedule of a run of so many steps.
   *
   * @throws ArgumentException where the run is too short for it
   */
  public Schedule over(int steps, double learningRate) {
    return new Parts(text).over(steps, learningRate);
  }

  /** The names that there are. */
  public static String names() {
    return Arrays.stream(ScheduleForm.values())
        .map(ScheduleForm::label)
        .collect(Collectors.joining(", "));
  }

  private record Parts(Optional<String> warmUp, ScheduleForm form, ScheduleTerms terms) {
    Parts(String text) {
      this(warmUp(text), behindWarmUp(text).split(":", 2));
    }

    private Parts(Optional<String> warmUp, String[] parts) {
      this(warmUp, form(parts[0]), terms(parts));
    }

    private static Optional<String> warmUp(String text) {
      return text.startsWith(WARM_UP)
          ? Optional.of(text.substring(WARM_UP.length()).split("\\+", 2)[0])
          : Optional.empty();
    }

    private static String behindWarmUp(String text) {
      int plus = text.indexOf('+');
      ArgumentException.require(
          !text.startsWith(WARM_UP) || plus >= 0,
          "schedule",
          WARM_UP + "LENGTH+NAME, such as " + WARM_UP + "5%+cosine",
          "'" + text + "'");
      return text.startsWith(WARM_UP) ? text.substring(plus + 1) : text;
    }

    private static ScheduleForm form(String name) {
      return Arrays.stream(ScheduleForm.values())
          .filter(form -> form.label().equals(name))
          .findFirst()
          .orElseThrow(
              () ->
                  new ArgumentException(
                      new Problem("schedule", "", "one of " + names(), "'" + name + "'", "")));
    }

    private static ScheduleTerms terms(String[] parts) {
      return ScheduleTerms.of(parts[0], parts.length == 1 ? "" : parts[1]);
    }

    Schedule over(int steps, double rate) {
      if (warmUp.isEmpty()) {
        return form.over(steps, rate, terms);
      }
      int first = ScheduleTerms.length("schedule warm-up", warmUp.get(), steps);
      ArgumentException.require(
          first < steps, "schedule warm-up", "fewer than the run's " + steps + " steps", first);
      return new Schedule.WarmUp(first, form.over(steps - first, rate, terms));
    }
  }
}
