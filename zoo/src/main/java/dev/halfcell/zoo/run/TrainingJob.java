package dev.halfcell.zoo.run;

import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.data.BatchCursor;
import dev.halfcell.data.DataSet;
import dev.halfcell.data.Sampler;
import dev.halfcell.optim.Optimizer;
import dev.halfcell.zoo.NetworkDefinition;

/**
 * What is to be trained, and how.
 *
 * @param options half, loss scale, seed and backend
 */
public record TrainingJob(
    NetworkDefinition network,
    Optimizer optimizer,
    Level level,
    AmpOptions options,
    Settings.Length length) {
  /**
   * The batches of all epochs.
   *
   * @throws dev.halfcell.tensor.ArgumentException where there are too few samples for one
   */
  public BatchCursor batches(DataSet data) {
    Sampler order = new Sampler.Shuffled(options.run().seed());
    return new BatchCursor(data, order, length.batchSize());
  }
}
