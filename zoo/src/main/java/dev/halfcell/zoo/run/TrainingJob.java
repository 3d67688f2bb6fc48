package dev.halfcell.zoo.run;

import dev.halfcell.amp.Amp;
import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.amp.precision.PrecisionOptions;
import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Backends;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.PlanReport;
import dev.halfcell.data.BatchCursor;
import dev.halfcell.data.DataSet;
import dev.halfcell.data.Loading;
import dev.halfcell.data.SampleChange;
import dev.halfcell.data.Sampler;
import dev.halfcell.nn.Cell;
import dev.halfcell.optim.Optimizer;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.Execution;
import dev.halfcell.train.ParameterStorage;
import dev.halfcell.train.TrainState;
import dev.halfcell.zoo.NetworkDefinition;
import dev.halfcell.zoo.data.DataSetDefinition;
import dev.halfcell.zoo.job.Assembly;
import dev.halfcell.zoo.job.JobSpecification;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

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
   * The same for what another machine may have trained: with as many of its threads as there are.
   */
  public static Backend openLike(JobSpecification specification) {
    int here = Runtime.getRuntime().availableProcessors();
    boolean more =
        specification.resources().threads().filter(threads -> threads > here).isPresent();
    return openBackend(more ? specification.with("/resources/threads", here) : specification);
  }

  /**
   * What a specification describes, on this backend and so many samples.
   *
   * @throws dev.halfcell.tensor.ArgumentException where it makes no sense
   */
  public static TrainingJob of(JobSpecification specification, Backend backend, int samples) {
    JobSpecification resolved = specification.resolved();
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

  /**
   * The most memory that it will hold with so many samples; nothing of that size is taken to find
   * out.
   */
  public MemoryEstimate memory(DataSetDefinition.Size samples) {
    return counted(samples, MemoryCount::estimate);
  }

  /**
   * The bytes that a process will hold which predicts for so many samples with what it has trained.
   */
  public long predictionBytes(int samples) {
    return promised(
        train -> new MemoryCount(this, train, network.data().size()).prediction(samples));
  }

  /** The bytes that a process will hold which runs one of its steps again, op by op. */
  public long replayBytes() {
    return promised(train -> new MemoryCount(this, train, network.data().size()).replay());
  }

  /**
   * Refuses what cannot be held whatever the data, before anything of it is planned.
   *
   * @throws dev.halfcell.tensor.MemoryException with all figures
   */
  void requireRoom(MemoryLimit limit) {
    least().require(limit);
  }

  /**
   * What it will hold at the least, whatever the data: nothing is planned to find out, which costs
   * the more the larger the network is.
   */
  public MemoryEstimate least() {
    return counted(network.data().size(), MemoryCount::least);
  }

  private MemoryEstimate counted(
      DataSetDefinition.Size samples, Function<MemoryCount, MemoryEstimate> count) {
    return promised(train -> count.apply(new MemoryCount(this, train, samples)));
  }

  /**
   * What its step on a full batch is compiled to; nothing of that size is taken to find out. None
   * where steps run op by op.
   */
  public Optional<PlanReport> planned() {
    List<TensorSpec> sample = List.of(network.sample(), TensorSpec.of(DType.INT64));
    return promised(
        train ->
            train.loop().execution() instanceof Execution.Planned(PlanOptions plan)
                ? Optional.of(
                    train
                        .backend()
                        .measure(
                            train.loop().trace(Signatures.of(sample, length.batchSize())), plan))
                : Optional.empty());
  }

  /** What is said of a train cell on a state that takes no memory. */
  private <T> T promised(Function<TrainStepCell, T> told) {
    Cell net = network.withLoss();
    PrecisionOptions precision = options.precision();
    ParameterStorage storage =
        precision.numerics().storage(precision.half()).orElse(ParameterStorage.full());
    try (TrainState promised = TrainState.promised(net, options.run().seed(), storage);
        TrainStepCell train =
            Amp.buildTrainNetwork(net, optimizer, level, options.state(promised))) {
      return told.apply(train);
    }
  }

  /** The train cell, at its start values. */
  TrainStepCell trainCell() {
    return Amp.buildTrainNetwork(
        network.build(), NetworkDefinition.loss(), optimizer, level, options);
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
