package dev.halfcell.zoo.job;

import java.util.Optional;

/**
 * When the state of a run is saved so that it can be resumed: at the end of each epoch, where it is
 * stopped, and meanwhile. Unless said otherwise, every 30 seconds and two are kept.
 *
 * @param everySteps after so many steps
 * @param everySeconds after so much time
 * @param keep how many are kept
 * @param best which epoch's weights are kept too
 */
public record CheckpointSpecification(
    @Key(value = "Save the state after so many steps.", least = 1) Optional<Integer> everySteps,
    @Key(value = "Save the state after so many seconds.", least = 1) Optional<Integer> everySeconds,
    @Key(value = "How many saved states are kept.", least = 2, most = 1000) Optional<Integer> keep,
    @Key("Keep the weights of the best epoch.") BestSpecification best) {
  /**
   * Which epoch's weights are kept beside those of the last; left out, none are.
   *
   * @param metric what epochs are compared by
   */
  @ShortForm("metric")
  public record BestSpecification(
      @Key("What epochs are compared by.") Optional<WatchedMetric> metric) {}
}
