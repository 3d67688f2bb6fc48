package dev.halfcell.zoo.job;

import dev.halfcell.train.Accumulation;
import java.util.Optional;

/**
 * How long, and how parameters move.
 *
 * @param epochs how often each sample is seen; instead of steps
 * @param steps how many steps are taken; instead of epochs
 * @param batchSize samples in a batch
 * @param optimizer what moves parameters
 * @param schedule how the learning rate follows the steps, as {@link dev.halfcell.zoo.RunSchedule}
 *     says it
 * @param accumulation how many batches make a step
 * @param clip how large gradients may be
 * @param ema the share of the moving averages of parameters that a step keeps
 * @param evaluation when the network is measured on test samples
 * @param earlyStopping when training ends because it gets no better
 * @param seed what all random numbers follow from
 */
public record TrainingSpecification(
    @Key(value = "How often each sample is seen, instead of steps.", least = 1, most = 10_000)
        Optional<Integer> epochs,
    @Key(value = "How many steps are taken, instead of epochs.", least = 1) Optional<Integer> steps,
    @Key(value = "Samples in a batch.", least = 1, most = 65_536) Optional<Integer> batchSize,
    @Key("What moves parameters.") OptimizerSpecification optimizer,
    @Key(
            value =
                "How the learning rate follows the steps:"
                    + " [warm-up=LENGTH+]NAME[:KEY=VALUE,...], such as warm-up=5%+cosine.",
            least = 1,
            most = 10_000)
        Optional<String> schedule,
    @Key("How many batches make a step.") AccumulationSpecification accumulation,
    @Key("How large gradients may be.") ClipSpecification clip,
    @Key(
            value =
                "The share of the moving average of each parameter that a step keeps, above 0 and"
                    + " below 1; left out, none is kept.",
            least = 0,
            most = 1)
        Optional<Double> ema,
    @Key("When the network is measured on test samples.") EvaluationSpecification evaluation,
    @Key("When training ends because it gets no better.") EarlyStoppingSpecification earlyStopping,
    @Key("What all random numbers follow from.") Optional<Long> seed) {

  /** The same with another seed, or none. */
  TrainingSpecification withSeed(Optional<Long> other) {
    return new TrainingSpecification(
        epochs,
        steps,
        batchSize,
        optimizer,
        schedule,
        accumulation,
        clip,
        ema,
        evaluation,
        earlyStopping,
        other);
  }

  /**
   * How many batches make a step.
   *
   * @param microBatches how many
   * @param onOverflow what one of them that is not finite costs
   */
  @ShortForm("microBatches")
  public record AccumulationSpecification(
      @Key(value = "Batches whose mean gradient makes a step.", least = 1, most = 65_536)
          Optional<Integer> microBatches,
      @Key(
              value = "What a batch that is not finite costs: the step, or itself alone.",
              words = {"drop_window", "drop_micro_batch"})
          Optional<Accumulation.OnOverflow> onOverflow) {}

  /**
   * When the network is measured on test samples; left out, at the end alone.
   *
   * @param everyEpochs after so many epochs
   */
  @ShortForm("everyEpochs")
  public record EvaluationSpecification(
      @Key(value = "Measure after so many epochs.", least = 1, most = 10_000)
          Optional<Integer> everyEpochs) {}

  /**
   * When training ends because it gets no better; left out, it does not.
   *
   * @param metric what epochs are compared by
   * @param patience how many measurements in a row that are no better end it
   * @param minDelta by more than this a better one has to be better
   */
  @ShortForm("patience")
  public record EarlyStoppingSpecification(
      @Key("What epochs are compared by.") Optional<WatchedMetric> metric,
      @Key(
              value = "How many measurements in a row that are no better end the training.",
              least = 1,
              most = 10_000)
          Optional<Integer> patience,
      @Key(value = "By more than this a better epoch has to be better.", least = 0)
          Optional<Double> minDelta) {
    /** Whether it is asked for. */
    public boolean said() {
      return metric.isPresent() || patience.isPresent() || minDelta.isPresent();
    }
  }

  /**
   * How large gradients may be; none of the two means as large as they are.
   *
   * @param norm the largest norm of all gradients together that is not scaled down
   * @param value the largest magnitude of a number of a gradient
   */
  @ShortForm("norm")
  public record ClipSpecification(
      @Key(value = "The largest norm of all gradients together.", positive = true)
          Optional<Double> norm,
      @Key(value = "The largest magnitude of each number; instead of a norm.", positive = true)
          Optional<Double> value) {}
}
