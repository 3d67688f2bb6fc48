package dev.halfcell.rest.client;

import dev.halfcell.rest.job.JobState;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One specification at several levels and with several seeds.
 *
 * @param id its name for programs
 * @param ended whether all of its jobs are over
 * @param rows its jobs
 * @param levels its levels, each with the mean of its jobs
 */
public record Comparison(String id, boolean ended, List<Row> rows, List<LevelRow> levels) {
  public Comparison {
    rows = List.copyOf(rows);
    levels = List.copyOf(levels);
  }

  /**
   * A job of a comparison.
   *
   * @param job its id
   * @param level its precision level
   * @param seed what its random numbers come of
   * @param state where it is in its life
   * @param metrics the latest values by their names
   * @param results what came out, once it has succeeded
   */
  public record Row(
      String job,
      String level,
      long seed,
      JobState state,
      Map<String, Double> metrics,
      Optional<Results> results) {
    public Row {
      metrics = Collections.unmodifiableMap(metrics);
    }
  }

  /**
   * The jobs of a level.
   *
   * @param level the precision level
   * @param jobs how many there are
   * @param succeeded how many of them have succeeded
   * @param results the mean of those, once there is one
   */
  public record LevelRow(String level, int jobs, int succeeded, Optional<Results> results) {}

  /**
   * What jobs are compared by; each is left out where it is not known.
   *
   * @param testAccuracy the share of test samples that were told rightly, from 0 to 1
   * @param testLoss the mean loss of the test samples
   * @param finalTrainLoss the mean loss of the last epoch's steps
   * @param overflowSteps how many steps overflowed
   * @param stepMilliseconds what a step took, as a median
   * @param samplesPerSecond how many samples were trained on in a second
   * @param peakBytes the most bytes that the worker held
   */
  public record Results(
      Optional<Double> testAccuracy,
      Optional<Double> testLoss,
      Optional<Double> finalTrainLoss,
      Optional<Double> overflowSteps,
      Optional<Double> stepMilliseconds,
      Optional<Double> samplesPerSecond,
      Optional<Double> peakBytes) {}
}
