package dev.halfcell.benchmarks;

import dev.halfcell.benchmarks.Contender.Side;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Times contenders against each other: first each once, to see that they compute the same and which
 * settings suit them; then those with their fastest settings in turn, round after round, so that
 * what else the machine does falls on all alike. The machine's peak is measured at the end of each
 * round.
 *
 * @param measure runs a contender
 * @param peak measures the machine
 * @param agreement what is asked of the losses
 * @param progress takes a line for each measurement
 */
record Race(
    BiFunction<Contender, Effort, Measurement> measure,
    Supplier<Peak> peak,
    LossAgreement agreement,
    Consumer<String> progress) {
  /** How many settings of each name go into the rounds. */
  private static final int FINALISTS = 2;

  /** How much slower than the fastest setting another one may be in its trial to go in too. */
  private static final double CLOSE = 1.15;

  /** Times them; the first one is HalfCell at O0, which says what the losses have to be. */
  Standings run(List<Contender> contenders, Protocol protocol) {
    Map<String, String> failed = new HashMap<>();
    List<Timing> timings = new ArrayList<>(finalists(trials(contenders, protocol.trial(), failed)));
    timings.forEach(timing -> failed.remove(timing.contender().name()));
    Peak best = peak.get();
    for (int round = 1; round <= protocol.rounds(); round++) {
      String label = "round " + round + " of " + protocol.rounds();
      timings.replaceAll(
          timing -> slow(timing, protocol) ? timing : again(timing, protocol.round(), label));
      best = best.or(peak.get());
    }
    return new Standings(timings, best, failed);
  }

  private static boolean slow(Timing timing, Protocol protocol) {
    return timing.contender().side() == Side.PEER && protocol.slow(timing.first());
  }

  private Timing again(Timing timing, Effort effort, String label) {
    return timing.and(measure(timing.contender(), effort, label));
  }

  /** Those that ran and computed the same; why one did not is put down by its name. */
  private List<Timing> trials(
      List<Contender> contenders, Effort effort, Map<String, String> failed) {
    List<Timing> trials = new ArrayList<>();
    for (Contender contender : contenders) {
      try {
        Measurement measured = measure(contender, effort, "trial");
        List<Double> expected = trials.isEmpty() ? measured.losses() : losses(trials);
        double difference = agreement.require(contender, measured, expected);
        trials.add(new Timing(contender, difference, measured, List.of()));
      } catch (ProgramException failure) {
        failed.put(contender.name(), leftOut(contender, failure, failure.reason()));
      } catch (MeasurementException refusal) {
        failed.put(
            contender.name(), leftOut(contender, refusal, String.valueOf(refusal.getMessage())));
      }
    }
    return trials;
  }

  /** Why a peer goes on no further: the reason. HalfCell has to go on. */
  private String leftOut(Contender contender, RuntimeException failure, String reason) {
    if (contender.side() == Side.HALFCELL) {
      throw failure;
    }
    progress.accept("trial: " + failure.getMessage());
    return reason;
  }

  private static List<Double> losses(List<Timing> trials) {
    return trials.getFirst().first().losses();
  }

  private static List<Timing> finalists(List<Timing> trials) {
    return trials.stream()
        .collect(
            Collectors.groupingBy(
                trial -> trial.contender().name(), LinkedHashMap::new, Collectors.toList()))
        .values()
        .stream()
        .flatMap(settings -> fastest(settings).stream())
        .toList();
  }

  private static List<Timing> fastest(List<Timing> settings) {
    List<Timing> sorted =
        settings.stream()
            .sorted(Comparator.comparingDouble(trial -> trial.first().medianMs()))
            .toList();
    double limit = CLOSE * sorted.getFirst().first().medianMs();
    return sorted.stream()
        .limit(FINALISTS)
        .filter(trial -> trial.first().medianMs() <= limit)
        .toList();
  }

  private Measurement measure(Contender contender, Effort effort, String label) {
    Measurement measured = measure.apply(contender, effort);
    progress.accept(
        String.format(Locale.ROOT, "%s: %s: %.3f ms", label, contender, measured.medianMs()));
    return measured;
  }
}
