package dev.halfcell.zoo.run;

import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.amp.diagnosis.SavedBatch;
import dev.halfcell.amp.diagnosis.UnderflowReport;
import dev.halfcell.amp.diagnosis.UnderflowSearch;
import dev.halfcell.amp.precision.PrecisionPlan;
import dev.halfcell.amp.precision.Reason;
import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Variable;
import dev.halfcell.data.BatchCursor;
import dev.halfcell.data.DataSet;
import dev.halfcell.nn.Cell;
import dev.halfcell.op.CellPath;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.train.Checkpoint;
import dev.halfcell.train.Weights;
import dev.halfcell.train.diagnosis.Offender;
import dev.halfcell.zoo.job.JobSpecification;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * What became of one step of a run, run again op by op. It changes nothing.
 *
 * @param values the file that the values were read from
 * @param step the step whose batch was saved; none where the batch is the first of its data
 * @param scale the loss scale
 * @param offender what first was not finite; none where all is
 * @param demoted the cells that the step itself had moved to FP32, where they are now
 */
public record Replay(
    Path values,
    OptionalLong step,
    double scale,
    Optional<Offender> offender,
    List<CellPath> demoted,
    UnderflowReport underflow) {
  private static final long NO_STEP = 0;

  /**
   * Runs a step of a run again: the batch that overflowed last, where one was saved; else the first
   * batch of its data, on the values and at the loss scale that the run has left.
   */
  public static Replay of(RunFolder folder) {
    RunPlace place = folder.place();
    JobSpecification specification = folder.specification();
    try (Backend backend = TrainingJob.openLike(specification)) {
      TrainingJob job = TrainingJob.of(specification, backend, place.samples());
      return of(folder, job, () -> job.network().openData(place.choice()).train());
    }
  }

  /**
   * That of a job, on its own backend.
   *
   * @param data what the run was trained on, opened where no batch was saved
   */
  static Replay of(RunFolder folder, TrainingJob job, Supplier<DataSet> data) {
    try (TrainStepCell train = job.trainCell();
        TensorScope scope = TensorScope.open()) {
      var _ = EpochWatch.of(folder.specification().resolved(), train.state(), folder);
      if (Files.exists(folder.offendingBatch())) {
        SavedBatch saved = OffenderFiles.read(folder, train.state(), scope);
        return of(folder.offendingState(), OptionalLong.of(saved.step()), train, job, saved);
      }
      Path values = values(folder, train);
      double kept = train.loop().own().read(Variable.scale()).item();
      double scale = values.equals(folder.model()) ? folder.finalScale().orElse(kept) : kept;
      try (BatchCursor batches = job.batches(data.get())) {
        SavedBatch first = new SavedBatch(batches.next(), scale, NO_STEP);
        return of(values, OptionalLong.empty(), train, job, first);
      }
    }
  }

  private static Path values(RunFolder folder, TrainStepCell train) {
    if (Files.exists(folder.model())) {
      Weights.read(train.state(), folder.model());
      return folder.model();
    }
    Optional<Path> checkpoint = folder.newestCheckpoint();
    if (checkpoint.isPresent()) {
      Checkpoint.read(train.state(), checkpoint.get());
      return checkpoint.get();
    }
    throw new ArgumentException(
        new Problem(
            "RUN",
            folder.path().toString(),
            "values to run a step on",
            "neither a saved batch, a checkpoint nor a model",
            "Train with --diagnose, which saves a batch that overflows."));
  }

  private static Replay of(
      Path values, OptionalLong step, TrainStepCell train, TrainingJob job, SavedBatch saved) {
    Cell net = job.network().withLoss();
    return new Replay(
        values,
        step,
        saved.scale(),
        train.loop().firstOffender(saved.batch(), saved.scale()),
        demotedIn(saved.step(), train.plan()),
        new UnderflowSearch(net, train.plan(), train.backend())
            .report(train.state(), saved.batch(), saved.scale()));
  }

  private static List<CellPath> demotedIn(long step, PrecisionPlan plan) {
    return plan.cells().entrySet().stream()
        .filter(
            cell ->
                cell.getValue().because() instanceof Reason.Demoted demoted
                    && demoted.step() == step)
        .map(Map.Entry::getKey)
        .toList();
  }
}
