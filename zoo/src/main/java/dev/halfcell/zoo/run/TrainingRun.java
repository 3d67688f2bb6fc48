package dev.halfcell.zoo.run;

import dev.halfcell.amp.Amp;
import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.amp.precision.PrecisionPlan;
import dev.halfcell.amp.precision.Reason;
import dev.halfcell.backend.PlanReport;
import dev.halfcell.data.BatchCursor;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.Accuracy;
import dev.halfcell.train.Checkpoint;
import dev.halfcell.train.Evaluation;
import dev.halfcell.train.Execution;
import dev.halfcell.train.Inference;
import dev.halfcell.train.TrainListener;
import dev.halfcell.train.Trainer;
import dev.halfcell.train.Weights;
import dev.halfcell.zoo.data.DataSplit;
import dev.halfcell.zoo.host.Cpu;
import dev.halfcell.zoo.host.Memory;
import dev.halfcell.zoo.host.Versions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BooleanSupplier;

/** Trains a network and writes what comes of it into a folder. One thread. */
public final class TrainingRun implements AutoCloseable {
  private final TrainingJob job;
  private final DataSplit data;
  private final BatchCursor batches;
  private final TrainStepCell train;
  private final RunTotals totals = new RunTotals();
  private final LossCurve curve = new LossCurve();

  /**
   * A run that has not begun; the network stands at its start values.
   *
   * @param batches the job's, of the data that is trained on
   */
  public TrainingRun(TrainingJob job, DataSplit data, BatchCursor batches) {
    this.job = job;
    this.data = data;
    this.batches = batches;
    this.train =
        Amp.buildTrainNetwork(
            job.network().build(),
            new SoftmaxCrossEntropyLoss(),
            job.optimizer(),
            job.level(),
            job.options());
  }

  /** Which cell computes how, and why. */
  public PrecisionPlan plan() {
    return train.plan();
  }

  /** The rule of the loss scale. */
  public LossScale lossScale() {
    return train.loop().step().scale();
  }

  /** How its steps are run. */
  public Execution execution() {
    return train.loop().execution();
  }

  /** The cells that were moved to FP32 because they overflowed too often. */
  public List<CellPath> demoted() {
    return plan().cells().entrySet().stream()
        .filter(cell -> cell.getValue().because() instanceof Reason.Demoted)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** What the run is made with. */
  public Settings settings() {
    return new Settings(
        job.network().name(),
        job.level(),
        job.options().precision().half(),
        lossScale().name(),
        train.backend().name(),
        data.description(),
        job.length(),
        job.options().run().seed());
  }

  /**
   * Trains all epochs, tests, and writes the results; or, where {@code stop} says so, saves the
   * state and ends.
   *
   * @param arguments what the run was started with
   * @param progress is told of each step after it is written
   */
  public Ending train(
      RunFolder folder, RunArguments arguments, TrainListener progress, BooleanSupplier stop) {
    folder.writePlan(plan().explain());
    folder.writeArguments(arguments);
    PrecisionPlan asked = plan();
    Optional<PlanReport> memory =
        execution() instanceof Execution.Planned
            ? Optional.of(train.loop().report(fullBatch()))
            : Optional.empty();
    boolean complete = complete(folder, progress, stop);
    if (!plan().equals(asked)) {
      folder.rewritePlan(plan().explain());
    }
    return complete ? tested(folder, memory) : interrupted(folder);
  }

  /** The loss over the steps that were taken. */
  public LossCurve loss() {
    return curve;
  }

  /** Whether the first offender of a step that overflows is looked for. */
  public boolean names() {
    return job.options().run().diagnosis().firstOffender();
  }

  private boolean complete(RunFolder folder, TrainListener progress, BooleanSupplier stop) {
    try (MetricsFile metrics = folder.openMetrics()) {
      List<TrainListener> listeners = new ArrayList<>(List.of(metrics, totals, curve, progress));
      if (names()) {
        listeners.add(new OffenderFiles(folder, train.state()));
      }
      Trainer trainer =
          new Trainer(train.loop(), batches, job.optimizer().learningRate(), listeners);
      return trainer.fit(job.length().epochs(), stop);
    }
  }

  private Ending tested(RunFolder folder, Optional<PlanReport> memory) {
    Weights.write(train.state(), folder.model());
    RunSummary summary =
        new RunSummary(
            settings(),
            Cpu.here().name(),
            totals,
            accuracy(train.inference()),
            averagedAccuracy(),
            memory,
            demoted(),
            Memory.peakResident(),
            Versions.with(train.backend()));
    folder.writeSummary(summary);
    return new Ending.Completed(summary);
  }

  private double accuracy(Inference of) {
    try (of) {
      return Evaluation.of(of, data.test(), job.length().batchSize(), new Accuracy());
    }
  }

  private OptionalDouble averagedAccuracy() {
    return train.loop().step().rules().ema().isPresent()
        ? OptionalDouble.of(accuracy(train.averagedInference()))
        : OptionalDouble.empty();
  }

  private Ending interrupted(RunFolder folder) {
    Checkpoint.write(train.state(), folder.checkpoint());
    return new Ending.Interrupted(totals.steps(), folder.checkpoint());
  }

  private List<TensorSpec> fullBatch() {
    return Signatures.of(data.train().sample(), job.length().batchSize());
  }

  @Override
  public void close() {
    train.close();
  }
}
