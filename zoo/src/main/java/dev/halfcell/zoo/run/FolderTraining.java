package dev.halfcell.zoo.run;

import dev.halfcell.backend.PlanReport;
import dev.halfcell.train.TrainEvent;
import dev.halfcell.train.TrainListener;
import dev.halfcell.train.Weights;
import dev.halfcell.zoo.profile.StepProfile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * The training of a run into its folder, from its start or from where an earlier one was. One
 * thread.
 */
final class FolderTraining {
  private final RunParts parts;
  private final RunFolder folder;
  private final RunTotals totals;
  private final LossCurve curve;
  private final Optional<StepProfile> profile;
  private final EpochWatch watch;

  /**
   * One that has not begun.
   *
   * @param totals adds up its steps
   * @param curve draws their loss
   * @param profile measures some of them, where that is asked for
   */
  FolderTraining(
      RunParts parts,
      RunFolder folder,
      RunTotals totals,
      LossCurve curve,
      Optional<StepProfile> profile) {
    this.parts = parts;
    this.folder = folder;
    this.totals = totals;
    this.curve = curve;
    this.profile = profile;
    // What epochs are compared by lies in the state from here on, before one is restored.
    this.watch = EpochWatch.of(parts.specification(), parts.train().state(), folder);
  }

  /** Reads the newest usable checkpoint. */
  Resumption restore() {
    return fit().restore(folder);
  }

  /** Trains from the start. */
  Ending begin(TrainListener progress, BooleanSupplier stop) {
    return run(Optional.empty(), progress, stop);
  }

  /** Trains on from what was restored. */
  Ending goOn(Resumption from, TrainListener progress, BooleanSupplier stop) {
    from.tellPast(
        parts.job().length().epochs(),
        parts.stepsPerEpoch(),
        parts.data().train().size(),
        List.of(totals, curve));
    return run(Optional.of(from), progress, stop);
  }

  private Ending run(Optional<Resumption> from, TrainListener progress, BooleanSupplier stop) {
    Optional<PlanReport> memory = parts.planReport();
    Optional<Path> checkpoint = stopped(from, progress, stop);
    profile.flatMap(StepProfile::trace).ifPresent(folder::writeTrace);
    if (parts.planMoved()) {
      folder.writePlan(parts.plan().explain());
    }
    return checkpoint.isEmpty() || allSteps() || watch.reached()
        ? completed(memory)
        : new Ending.Interrupted(totals.steps(), checkpoint.get());
  }

  /** Trains; where it is stopped, the checkpoint that was saved. */
  private Optional<Path> stopped(
      Optional<Resumption> from, TrainListener progress, BooleanSupplier stop) {
    Optional<Integer> tested = parts.specification().training().evaluation().everyEpochs();
    int batchSize = parts.job().length().batchSize();
    try (RunLogs logs = RunLogs.open(folder, parts.specification().logs(), from);
        EpochEvaluation test =
            new EpochEvaluation(parts.train(), parts.data().test(), batchSize, tested)) {
      return fit()
          .fit(
              parts.job().length().epochs(),
              logs,
              from,
              test,
              listeners(from, progress),
              () -> allSteps() || watch.reached() || stop.getAsBoolean());
    }
  }

  private List<TrainListener> listeners(Optional<Resumption> from, TrainListener progress) {
    List<TrainListener> listeners = new ArrayList<>();
    profile.ifPresent(listeners::add); // the first, for it looks at the clock
    listeners.addAll(List.of(counting(from), curve));
    listeners.addAll(watch.listeners());
    listeners.add(progress);
    if (parts.job().options().run().diagnosis().firstOffender()) {
      listeners.add(new OffenderFiles(folder, parts.train().state()));
    }
    return listeners;
  }

  /** An epoch that goes on is begun a second time; its totals are not. */
  private TrainListener counting(Optional<Resumption> from) {
    return from.isEmpty()
        ? totals
        : event -> {
          if (!(event instanceof TrainEvent.EpochStarted)) {
            totals.on(event);
          }
        };
  }

  private CheckpointedFit fit() {
    CheckpointRule rule = parts.job().checkpoints();
    return new CheckpointedFit(
        parts.train(),
        parts.batches(),
        parts.job().optimizer().learningRate(),
        rule,
        folder.checkpoints(rule.keep()),
        parts.identity());
  }

  private boolean allSteps() {
    return parts.job().length().steps().isPresent()
        && totals.steps() >= parts.job().length().steps().getAsInt();
  }

  private Ending completed(Optional<PlanReport> memory) {
    Weights.write(parts.train().state(), folder.disk(), folder.model());
    RunSummary summary = RunSummary.of(parts, totals, watch, memory);
    folder.writeSummary(summary);
    return new Ending.Completed(summary);
  }
}
