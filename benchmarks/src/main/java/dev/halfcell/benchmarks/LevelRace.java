package dev.halfcell.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * Times HalfCell at its levels in turn, round after round. Unlike in a {@link Race} each may fail:
 * it is not measured again then, and the others are.
 *
 * @param measure runs a contender
 * @param agreement what is asked of the losses, in each round
 * @param progress takes a line for each measurement
 */
record LevelRace(
    BiFunction<Contender, Effort, Measurement> measure,
    LossAgreement agreement,
    Consumer<String> progress) {
  /** Measures them; the first one is O0, which says what the losses have to be. */
  List<Attempt> run(List<Contender> contenders, int rounds, Effort effort) {
    List<Attempt> attempts = new ArrayList<>(contenders.stream().map(Attempt::of).toList());
    for (int round = 1; round <= rounds; round++) {
      for (int index = 0; index < attempts.size(); index++) {
        Attempt attempt = attempts.get(index);
        if (attempt.error().isEmpty()) {
          Attempt next = index == 0 ? first(attempt, effort) : other(attempts, index, effort);
          attempts.set(index, next);
          progress.accept("round " + round + " of " + rounds + ": " + line(next));
        }
      }
    }
    return List.copyOf(attempts);
  }

  private Attempt first(Attempt attempt, Effort effort) {
    return again(attempt, losses(attempt), effort);
  }

  private Attempt other(List<Attempt> attempts, int index, Effort effort) {
    Attempt first = attempts.getFirst();
    return first.error().isPresent()
        ? attempts
            .get(index)
            .failed("not timed: " + first.contender() + " failed, whose losses it has to have")
        : again(attempts.get(index), losses(first), effort);
  }

  private static Optional<List<Double>> losses(Attempt attempt) {
    return attempt.rounds().stream().findFirst().map(Measurement::losses);
  }

  /** Where none are expected yet its own have at least to be numbers. */
  private Attempt again(Attempt attempt, Optional<List<Double>> expected, Effort effort) {
    try {
      Measurement measured = measure.apply(attempt.contender(), effort);
      double difference =
          agreement.require(attempt.contender(), measured, expected.orElse(measured.losses()));
      return attempt.and(measured, difference);
    } catch (ProgramException failure) {
      return attempt.failed(failure.reason());
    } catch (MeasurementException refusal) {
      return attempt.failed(String.valueOf(refusal.getMessage()));
    }
  }

  private static String line(Attempt attempt) {
    return attempt.contender()
        + ": "
        + attempt
            .error()
            .orElseGet(
                () -> String.format(Locale.ROOT, "%.3f ms", attempt.rounds().getLast().medianMs()));
  }
}
