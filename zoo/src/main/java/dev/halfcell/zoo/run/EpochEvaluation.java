package dev.halfcell.zoo.run;

import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.data.DataSet;
import dev.halfcell.train.Accuracy;
import dev.halfcell.train.Evaluation;
import dev.halfcell.train.Inference;
import dev.halfcell.train.Loss;
import dev.halfcell.train.Trainer;
import dev.halfcell.zoo.NetworkDefinition;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Measures a network on test samples when epochs are over. One thread. */
final class EpochEvaluation implements Trainer.Measurement, AutoCloseable {
  private final TrainStepCell train;
  private final DataSet samples;
  private final int batchSize;
  private final Optional<Integer> everyEpochs;
  private Optional<Inference> inference = Optional.empty();

  /**
   * Of this cell's network as it is then.
   *
   * @param everyEpochs after how many epochs; none means never
   */
  EpochEvaluation(
      TrainStepCell train, DataSet samples, int batchSize, Optional<Integer> everyEpochs) {
    this.train = train;
    this.samples = samples;
    this.batchSize = batchSize;
    this.everyEpochs = everyEpochs;
  }

  @Override
  public Map<String, Double> of(int epoch) {
    if (everyEpochs.isEmpty() || epoch % everyEpochs.get() != 0) {
      return Map.of();
    }
    if (inference.isEmpty()) {
      inference = Optional.of(train.inference());
    }
    Map<String, Double> values = new LinkedHashMap<>();
    Evaluation.of(
            inference.get(),
            samples,
            batchSize,
            new Accuracy(),
            new Loss(NetworkDefinition.lossOfEach()))
        .forEach((name, value) -> values.put("test_" + name, value));
    return values;
  }

  @Override
  public void close() {
    inference.ifPresent(Inference::close);
  }
}
