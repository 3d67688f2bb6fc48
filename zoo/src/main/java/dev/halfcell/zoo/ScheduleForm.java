package dev.halfcell.zoo;

import dev.halfcell.op.update.OneCycle;
import dev.halfcell.op.update.Plateau;
import dev.halfcell.op.update.Schedule;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/** The schedules that {@link RunSchedule} has names for. */
enum ScheduleForm {
  CONSTANT,
  STEP,
  EXPONENTIAL,
  COSINE,
  LINEAR,
  POLYNOMIAL,
  ONE_CYCLE,
  PIECEWISE,
  PLATEAU;

  private static final double TENTH = 0.1;

  /** The name as users write it. */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** What can be said behind the name; of pieces it is where they begin. */
  private List<String> keys() {
    return switch (this) {
      case CONSTANT, PIECEWISE -> List.of();
      case STEP, EXPONENTIAL -> List.of("every", "factor");
      case COSINE, LINEAR -> List.of("end");
      case POLYNOMIAL -> List.of("power", "end");
      case ONE_CYCLE -> List.of("rise", "start-divisor", "end-divisor");
      case PLATEAU -> List.of("factor", "patience", "threshold", "least");
    };
  }

  Schedule over(int steps, double rate, ScheduleTerms terms) {
    if (this != PIECEWISE) {
      terms.requireKnown(keys());
    }
    return switch (this) {
      case CONSTANT -> new Schedule.Constant(rate);
      case STEP ->
          new Schedule.StepDecay(rate, terms.length("every", steps), terms.number("factor", TENTH));
      case EXPONENTIAL ->
          new Schedule.Exponential(
              rate, terms.length("every", steps), terms.number("factor", TENTH));
      case COSINE -> new Schedule.Cosine(rate, steps, rate * terms.number("end", 0));
      case LINEAR -> new Schedule.Polynomial(rate, steps, rate * terms.number("end", 0), 1);
      case POLYNOMIAL ->
          new Schedule.Polynomial(
              rate, steps, rate * terms.number("end", 0), terms.number("power", 2));
      case ONE_CYCLE -> oneCycle(steps, rate, terms);
      case PIECEWISE -> piecewise(steps, rate, terms);
      case PLATEAU -> plateau(rate, terms);
    };
  }

  private static Schedule oneCycle(int steps, double rate, ScheduleTerms terms) {
    return new OneCycle(
        rate,
        steps,
        terms.number("rise", 0.3),
        terms.number("start-divisor", 25),
        terms.number("end-divisor", 1e4));
  }

  private static Schedule piecewise(int steps, double rate, ScheduleTerms terms) {
    TreeMap<Long, Double> pieces = new TreeMap<>();
    pieces.put(0L, rate);
    terms.lengths(steps).forEach((start, factor) -> pieces.put(start, rate * factor));
    return new Schedule.Piecewise(List.copyOf(pieces.keySet()), List.copyOf(pieces.values()));
  }

  private static Schedule plateau(double rate, ScheduleTerms terms) {
    return new Plateau(
        new Schedule.Constant(rate),
        terms.number("factor", TENTH),
        terms.whole("patience", 10),
        terms.number("threshold", 1e-4),
        terms.number("least", 0));
  }
}
