package dev.halfcell.zoo.run;

import dev.halfcell.train.TrainListener;
import dev.halfcell.train.TrainState;
import dev.halfcell.train.Weights;
import dev.halfcell.train.listener.BestEpoch;
import dev.halfcell.train.listener.EarlyStopping;
import dev.halfcell.zoo.job.JobSpecification;
import dev.halfcell.zoo.job.TrainingSpecification.EarlyStoppingSpecification;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a run makes of the metrics of its epochs. What it has seen lies in the run's state.
 *
 * @param early when it ends because it gets no better
 * @param best which epoch's weights are kept
 */
record EpochWatch(Optional<EarlyStopping> early, Optional<BestEpoch> best) {
  /**
   * What a specification asks for; the state has its values then, at their start unless they were
   * there.
   *
   * @param folder where the weights of the best epoch go
   */
  static EpochWatch of(JobSpecification resolved, TrainState state, RunFolder folder) {
    EarlyStoppingSpecification early = resolved.training().earlyStopping();
    return new EpochWatch(
        early
            .metric()
            .map(
                metric ->
                    new EarlyStopping(
                        state,
                        metric.monitor(early.minDelta().orElseThrow()),
                        early.patience().orElseThrow())),
        resolved
            .checkpoint()
            .best()
            .metric()
            .map(
                metric ->
                    new BestEpoch(
                        state,
                        metric.monitor(0),
                        () -> Weights.write(state, folder.disk(), folder.best()))));
  }

  List<TrainListener> listeners() {
    return Stream.<TrainListener>concat(early.stream(), best.stream()).toList();
  }

  /** The best epoch; none where none was asked for, or none is over. */
  Optional<RunSummary.Best> summary() {
    return best.filter(epoch -> epoch.epoch().isPresent())
        .map(
            epoch ->
                new RunSummary.Best(
                    epoch.monitor().metric(), epoch.epoch().getAsInt(), epoch.value()));
  }

  /** Whether it is to end because it gets no better. */
  boolean reached() {
    return early.map(EarlyStopping::reached).orElse(false);
  }
}
