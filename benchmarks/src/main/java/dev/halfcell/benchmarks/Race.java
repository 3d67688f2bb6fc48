package dev.halfcell.benchmarks;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Times contenders against each other: first each once, to see that they compute the same and which
 * settings suit them; then those with their fastest settings in turn, round after round, so that
 * what else the machine does falls on all alike.
 *
 * @param measure runs a contender
 * @param progress takes a line for each measurement
 */
record Race(Function<Contender, Measurement> measure, Consumer<String> progress) {
  /** How many settings of each name go into the rounds. */
  private static final int FINALISTS = 2;

  /** Times them; the first one is HalfCell at O0, which says what the losses have to be. */
  List<Timing> run(List<Contender> contenders, int rounds) {
    List<Timing> finalists = finalists(trials(contenders));
    List<List<Measurement>> measured =
        finalists.stream().<List<Measurement>>map(_ -> new ArrayList<>()).toList();
    for (int round = 1; round <= rounds; round++) {
      for (int index = 0; index < finalists.size(); index++) {
        String label = "round " + round + " of " + rounds;
        measured.get(index).add(measure(finalists.get(index).contender(), label));
      }
    }
    List<Timing> timings = new ArrayList<>();
    for (int index = 0; index < finalists.size(); index++) {
      Timing trial = finalists.get(index);
      timings.add(
          new Timing(
              trial.contender(), trial.lossDifference(), trial.first(), measured.get(index)));
    }
    return timings;
  }

  private List<Timing> trials(List<Contender> contenders) {
    List<Timing> trials = new ArrayList<>();
    for (Contender contender : contenders) {
      Measurement measured = measure(contender, "trial");
      List<Double> expected =
          trials.isEmpty() ? measured.losses() : trials.getFirst().first().losses();
      double difference = LossAgreement.require(contender, measured, expected);
      trials.add(new Timing(contender, difference, measured, List.of()));
    }
    return trials;
  }

  private static List<Timing> finalists(List<Timing> trials) {
    return trials.stream()
        .collect(
            Collectors.groupingBy(
                trial -> trial.contender().name(), LinkedHashMap::new, Collectors.toList()))
        .values()
        .stream()
        .flatMap(
            settings ->
                settings.stream()
                    .sorted(Comparator.comparingDouble(trial -> trial.first().medianMs()))
                    .limit(FINALISTS))
        .toList();
  }

  private Measurement measure(Contender contender, String label) {
    Measurement measured = measure.apply(contender);
    progress.accept(
        String.format(Locale.ROOT, "%s: %s: %.3f ms", label, contender, measured.medianMs()));
    return measured;
  }
}
