package dev.halfcell.zoo.run;

import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.amp.precision.PrecisionPlan;
import dev.halfcell.amp.precision.Reason;
import dev.halfcell.backend.Backend;
import dev.halfcell.backend.PlanReport;
import dev.halfcell.data.BatchCursor;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.Execution;
import dev.halfcell.zoo.data.DataSplit;
import dev.halfcell.zoo.job.Assembly;
import dev.halfcell.zoo.job.JobSpecification;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a run is made of: its network, its data and what computes, from before it begins until it is
 * closed. One thread.
 */
final class RunParts implements AutoCloseable {
  private final JobSpecification specification;
  private final RunPlace place;
  private final Backend backend;
  private final TrainingJob job;
  private final DataSplit data;
  private final BatchCursor batches;
  private final MemoryEstimate estimate;
  private final TrainStepCell train;
  private final PrecisionPlan asked;
  private final Map<String, String> identity;

  /** Opens them, as {@link TrainingRun#open} says. */
  static RunParts open(JobSpecification specification, Optional<String> choice) {
    JobSpecification resolved = specification.resolved();
    Backend backend = TrainingJob.openBackend(resolved);
    try {
      return new RunParts(resolved, choice, backend);
    } catch (RuntimeException | Error e) {
      backend.close();
      throw e;
    }
  }

  private RunParts(JobSpecification resolved, Optional<String> choice, Backend backend) {
    this.specification = resolved;
    this.backend = backend;
    Assembly parts = new Assembly(resolved);
    MemoryLimit limit = MemoryLimit.of(resolved.resources().memoryLimit());
    TrainingJob.of(resolved, backend, parts.network().data().size().train()).requireRoom(limit);
    this.data = parts.openData(choice);
    this.place = RunPlace.of(choice, data);
    this.job = TrainingJob.of(resolved, backend, place.samples());
    // Takes no memory yet, and refuses batches that the data cannot fill before any is planned.
    this.batches = job.batches(data.train());
    try {
      this.estimate = job.memory(job.network().data().size().of(data));
      estimate.require(limit);
      this.train = job.trainCell();
    } catch (RuntimeException | Error e) {
      batches.close();
      throw e;
    }
    this.asked = train.plan();
    try {
      this.identity = RunIdentity.of(resolved, asked, data);
    } catch (RuntimeException | Error e) {
      try (batches;
          train) {
        throw e;
      }
    }
  }

  /** What is trained, with all defaults filled in. */
  JobSpecification specification() {
    return specification;
  }

  /** What it found where it was opened. */
  RunPlace place() {
    return place;
  }

  TrainingJob job() {
    return job;
  }

  DataSplit data() {
    return data;
  }

  /** The batches of all epochs. */
  BatchCursor batches() {
    return batches;
  }

  /** The train cell; it has the state. */
  TrainStepCell train() {
    return train;
  }

  /** The most memory that it will hold. */
  MemoryEstimate estimate() {
    return estimate;
  }

  /** What the run is, as its checkpoints say it. */
  Map<String, String> identity() {
    return identity;
  }

  /** Which cell computes how now. */
  PrecisionPlan plan() {
    return train.plan();
  }

  /** Whether cells were demoted since it was opened. */
  boolean planMoved() {
    return !plan().equals(asked);
  }

  LossScale lossScale() {
    return train.loop().step().scale();
  }

  Execution execution() {
    return train.loop().execution();
  }

  /** The cells that were moved to FP32 because they overflowed too often. */
  List<CellPath> demoted() {
    return plan().cells().entrySet().stream()
        .filter(cell -> cell.getValue().because() instanceof Reason.Demoted)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** How many steps an epoch has. */
  int stepsPerEpoch() {
    return train.loop().step().accumulation().steps(batches.batchesPerEpoch());
  }

  /** What the plan of a full batch takes; none where steps run op by op. */
  Optional<PlanReport> planReport() {
    List<TensorSpec> fullBatch = Signatures.of(data.train().sample(), job.length().batchSize());
    return execution() instanceof Execution.Planned
        ? Optional.of(train.loop().report(fullBatch))
        : Optional.empty();
  }

  Settings settings() {
    return new Settings(
        job.network().name(),
        job.level(),
        job.options().precision().half(),
        lossScale().name(),
        train.backend().name(),
        train.backend().threads(),
        data.description(),
        job.length(),
        job.options().run().seed());
  }

  @Override
  public void close() {
    try (backend;
        batches) {
      train.close();
    }
  }
}
