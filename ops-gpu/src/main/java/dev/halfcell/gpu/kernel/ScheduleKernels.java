package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.update.LearningRate;
import dev.halfcell.op.update.OneCycle;
import dev.halfcell.op.update.Plateau;
import dev.halfcell.op.update.Schedule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Learning rates by their schedules, which go with a launch as numbers: {@code schedule.cu}. */
final class ScheduleKernels {
  private static final int MOST_WRAPPERS = 16;
  private static final int MOST_STRETCHES = 100;
  private static final int MOST_NUMBERS = 5;

  private ScheduleKernels() {}

  /**
   * A schedule that starts from another.
   *
   * @param kind its number in the kernel
   */
  private record Wrapper(long kind, double number) {
    static Wrapper warmUp(int steps) {
      return new Wrapper(0, steps);
    }

    static Wrapper scaled(double factor) {
      return new Wrapper(1, factor);
    }
  }

  /** What starts from no other. */
  private enum Innermost {
    CONSTANT(0),
    COSINE(1),
    EXPONENTIAL(2),
    ONE_CYCLE(3),
    PIECEWISE(4),
    POLYNOMIAL(5),
    STEP_DECAY(6);

    private final long number;

    /** With its number in the kernel. */
    Innermost(long number) {
      this.number = number;
    }
  }

  static Recipe of(KernelLibrary kernels, LearningRate op, CellPath at) {
    List<Wrapper> wrappers = new ArrayList<>();
    Schedule innermost = unwrapped(op.schedule(), wrappers);
    if (wrappers.size() > MOST_WRAPPERS) {
      throw Kernels.refusal(op.label(), "a schedule within " + wrappers.size() + " others", at);
    }
    List<Argument> schedules = schedules(wrappers, innermost);
    return Recipe.of(
        place ->
            schedules.stream()
                .map(
                    schedule ->
                        KernelLaunch.each(
                            kernels.kernel("schedule", "learning_rate"),
                            1,
                            place.in(0).argument(),
                            place.in().size() > 1 ? place.in(1).argument() : KernelLaunch.NONE,
                            place.out(0).argument(),
                            schedule))
                .toList());
  }

  /** The innermost schedule; those around it are added to {@code wrappers}. */
  private static Schedule unwrapped(Schedule schedule, List<Wrapper> wrappers) {
    return switch (schedule) {
      case Schedule.WarmUp(int steps, Schedule then) -> {
        wrappers.add(Wrapper.warmUp(steps));
        yield unwrapped(then, wrappers);
      }
      case Schedule.Scaled(Schedule of, double factor) -> {
        wrappers.add(Wrapper.scaled(factor));
        yield unwrapped(of, wrappers);
      }
      case Plateau plateau -> unwrapped(plateau.schedule(), wrappers);
      case Schedule.Constant _,
          Schedule.Cosine _,
          Schedule.Exponential _,
          OneCycle _,
          Schedule.Piecewise _,
          Schedule.Polynomial _,
          Schedule.StepDecay _ ->
          schedule;
    };
  }

  /** One for each launch. */
  private static List<Argument> schedules(List<Wrapper> wrappers, Schedule innermost) {
    return switch (innermost) {
      case Schedule.Constant(double rate) -> plain(wrappers, Innermost.CONSTANT, rate);
      case Schedule.Cosine(double rate, int steps, double end) ->
          plain(wrappers, Innermost.COSINE, rate, steps, end);
      case Schedule.Exponential(double rate, int every, double factor) ->
          plain(wrappers, Innermost.EXPONENTIAL, rate, every, factor);
      case OneCycle(double peak, int steps, double rise, double start, double end) ->
          plain(wrappers, Innermost.ONE_CYCLE, peak, steps, rise, start, end);
      case Schedule.Polynomial(double rate, int steps, double end, double power) ->
          plain(wrappers, Innermost.POLYNOMIAL, rate, steps, end, power);
      case Schedule.StepDecay(double rate, int every, double factor) ->
          plain(wrappers, Innermost.STEP_DECAY, rate, every, factor);
      case Schedule.Piecewise piecewise -> stretches(wrappers, piecewise);
      case Schedule.WarmUp _, Schedule.Scaled _, Plateau _ ->
          throw new IllegalStateException(innermost + " is not innermost");
    };
  }

  private static List<Argument> plain(
      List<Wrapper> wrappers, Innermost innermost, double... numbers) {
    List<Long> all = new ArrayList<>();
    for (double each : numbers) {
      all.add(Double.doubleToRawLongBits(each));
    }
    return List.of(schedule(wrappers, innermost, all, List.of(), List.of()));
  }

  private static List<Argument> stretches(List<Wrapper> wrappers, Schedule.Piecewise piecewise) {
    List<Argument> schedules = new ArrayList<>();
    int count = piecewise.starts().size();
    for (int first = 0; first < count; first += MOST_STRETCHES) {
      int behind = Math.min(count, first + MOST_STRETCHES);
      List<Long> rates =
          piecewise.rates().subList(first, behind).stream()
              .map(Double::doubleToRawLongBits)
              .toList();
      schedules.add(
          schedule(
              wrappers,
              Innermost.PIECEWISE,
              List.of(),
              piecewise.starts().subList(first, behind),
              rates));
    }
    return schedules;
  }

  private static Argument schedule(
      List<Wrapper> wrappers,
      Innermost innermost,
      List<Long> numbers,
      List<Long> starts,
      List<Long> rates) {
    List<Long> kinds = wrappers.stream().map(Wrapper::kind).toList();
    List<Long> amounts =
        wrappers.stream().map(each -> Double.doubleToRawLongBits(each.number())).toList();
    List<Long> words = new ArrayList<>();
    words.add((long) wrappers.size());
    words.addAll(filled(kinds, MOST_WRAPPERS));
    words.addAll(filled(amounts, MOST_WRAPPERS));
    words.add(innermost.number);
    words.addAll(filled(numbers, MOST_NUMBERS));
    words.add((long) starts.size());
    words.addAll(filled(starts, MOST_STRETCHES));
    words.addAll(filled(rates, MOST_STRETCHES));
    return new Argument.Words(words);
  }

  private static List<Long> filled(List<Long> values, int size) {
    List<Long> filled = new ArrayList<>(values);
    filled.addAll(Collections.nCopies(size - values.size(), 0L));
    return filled;
  }
}
