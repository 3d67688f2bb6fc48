package dev.halfcell.zoo.run;

import dev.halfcell.amp.Amp;
import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Backends;
import dev.halfcell.data.BatchCursor;
import dev.halfcell.data.DataSet;
import dev.halfcell.data.Loading;
import dev.halfcell.data.SampleChange;
import dev.halfcell.data.Sampler;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.optim.Optimizer;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.zoo.NetworkDefinition;
import dev.halfcell.zoo.job.Assembly;
import dev.halfcell.zoo.job.JobSpecification;

/**
 * What is to be trained, and how.
 *
 * @param options half, loss scale, seed and backend
 * @param loading how batches are read
 * @param testing what is done to samples that are tested on or predicted for
 * @param checkpoints when its state is saved
 */
public record TrainingJob(
    NetworkDefinition network,
    Optimizer optimizer,
    Level level,
    AmpOptions options,
    Settings.Length length,
    Loading loading,
    SampleChange testing,
    CheckpointRule checkpoints) {
  /**
   * Opens what a specification says to compute with.
   *
   * @throws dev.halfcell.tensor.ArgumentException where it asks for more threads than there are
   */
  public static Backend openBackend(JobSpecification specification) {
    String device = specification.device().orElse("auto");
    return specification
        .resources()
        .threads()
        .map(threads -> Backends.open(device, threads))
        .orElseGet(() -> Backends.open(device));
  }

  /**
   * What a specification describes, on this backend and so many samples.
   *
   * @throws dev.halfcell.tensor.ArgumentException where it makes no sense, or asks for what runs
   *     cannot do yet
   */
  public static TrainingJob of(JobSpecification specification, Backend backend, int samples) {
    JobSpecification resolved = specification.resolved();
    requireHonoured(resolved);
    Assembly parts = new Assembly(resolved);
    return new TrainingJob(
        parts.network(),
        parts.optimizer(samples),
        parts.level(),
        parts.options().backend(backend),
        new Settings.Length(parts.epochs(samples), parts.batchSize(), parts.steps()),
        parts.loading(),
        parts.testing(),
        CheckpointRule.of(resolved.checkpoint()));
  }

  /** Better a refusal than a key that does nothing. */
  private static void requireHonoured(JobSpecification specification) {
    if (specification.says("/resources/memoryLimit")) {
      throw new ArgumentException(
          new Problem(
              "specification",
              "/resources/memoryLimit",
              "nothing: runs of this version do not follow this key yet",
              "a limit",
              "Leave it out."));
    }
  }

  /** What is minimised. */
  static Cell loss() {
    return new SoftmaxCrossEntropyLoss();
  }

  /** The train cell, at its start values. */
  TrainStepCell trainCell() {
    return Amp.buildTrainNetwork(network.build(), loss(), optimizer, level, options);
  }

  /**
   * The batches of all epochs.
   *
   * @throws dev.halfcell.tensor.ArgumentException where there are too few samples for one
   */
  public BatchCursor batches(DataSet data) {
    Sampler order = new Sampler.Shuffled(options.run().seed());
    return new BatchCursor(data, order, length.batchSize(), loading);
  }
}
