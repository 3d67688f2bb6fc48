package dev.halfcell.cli;

import dev.halfcell.cli.text.Figures;
import dev.halfcell.cli.text.Table;
import dev.halfcell.op.precision.DynamicScale;
import dev.halfcell.op.precision.FixedScale;
import dev.halfcell.op.precision.LogMaxScale;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.op.precision.NoScale;
import dev.halfcell.train.Execution;
import dev.halfcell.train.diagnosis.Trap;
import dev.halfcell.zoo.profile.Profile;
import dev.halfcell.zoo.profile.StepProfile;
import dev.halfcell.zoo.run.RunFolder;
import dev.halfcell.zoo.run.RunSummary;
import dev.halfcell.zoo.run.RunTotals;
import dev.halfcell.zoo.run.Settings;
import dev.halfcell.zoo.run.TestScores;
import dev.halfcell.zoo.run.TrainingRun;
import java.io.PrintWriter;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What {@code train} prints before and after the training. */
record TrainingReport(PrintWriter out) {
  /** What is going to be trained, and its precision plan in short. */
  void opening(TrainingRun run) {
    Settings settings = run.settings();
    new Table()
        .row("network", settings.network() + " on " + settings.device())
        .row("dataset", settings.dataset())
        .row("precision", settings.level() + " (" + cells(run) + ")")
        .row("loss scale", scale(run.lossScale()))
        .row("steps", steps(run.execution()))
        .lines()
        .forEach(out::println);
    out.flush();
  }

  /** Steps that run op by op are slow, which nobody should have to find out. */
  private static String steps(Execution execution) {
    return switch (execution) {
      case Execution.Planned _ -> "compiled";
      case Execution.Eager(var traps) when traps.isEmpty() -> "op by op";
      case Execution.Eager(var traps) ->
          "op by op, for debugging: "
              + traps.stream().map(Trap::name).sorted().collect(Collectors.joining(", "))
              + " ends the training";
    };
  }

  private static String scale(LossScale rule) {
    return switch (rule) {
      case NoScale() -> "none";
      case FixedScale fixed -> "fixed at " + Figures.plain(fixed.scale());
      case DynamicScale _, LogMaxScale _ ->
          rule.name() + " from " + Figures.plain(rule.start().scale());
    };
  }

  /** How many cells compute in which dtype. */
  private static String cells(TrainingRun run) {
    Map<String, Long> cells =
        run.plan().cells().values().stream()
            .collect(Collectors.groupingBy(d -> d.computes(), TreeMap::new, Collectors.counting()));
    return cells.entrySet().stream()
        .map(
            entry ->
                entry.getValue() + (entry.getValue() == 1 ? " cell " : " cells ") + entry.getKey())
        .collect(Collectors.joining(", "));
  }

  /** What came out of it. */
  void closing(RunSummary summary, RunFolder folder) {
    Settings settings = summary.settings();
    RunTotals totals = summary.totals();
    out.println();
    Table table =
        new Table()
            .row("network", settings.network())
            .row("level", settings.level() + " (half: " + settings.half().label() + ")")
            .row("device", settings.device() + " (" + summary.cpu() + ")")
            .row("dataset", settings.dataset())
            .row("steps", totals.steps() + " (skipped: " + totals.overflows() + ")")
            .row(
                "loss scale",
                Figures.plain(totals.scale())
                    + " (changed "
                    + totals.scaleChanges()
                    + (totals.scaleChanges() == 1 ? " time)" : " times)"))
            .row(
                "train loss",
                Figures.fixed(totals.lastEpochLoss(), 4) + " (mean of the last epoch)");
    scores(table, summary.test())
        .row("step time", Figures.fixed(totals.medianMilliseconds(), 2) + " ms (median)")
        .row("speed", Figures.count(totals.samplesPerSecond()) + " samples/s")
        .row("memory", memory(summary))
        .row("files", folder.path().toString())
        .lines()
        .forEach(out::println);
    out.flush();
  }

  /** Where the time of the measured steps went. */
  void profile(StepProfile measured, RunFolder folder) {
    Optional<Profile> profile = measured.profile();
    if (profile.isEmpty()) {
      out.println();
      out.println(
          "no profile: the run took no step after the first "
              + StepProfile.LEFT_ALONE
              + ", which are not measured");
    }
    profile.ifPresent(
        told -> {
          new ProfileTable(told).lines().forEach(out::println);
          out.println();
          out.println("trace: " + folder.path().resolve(RunFolder.TRACE));
        });
    out.flush();
  }

  /** Adds what a network is worth to a table. */
  static Table scores(Table table, TestScores scores) {
    if (scores.none()) {
      return table.row("test", "none: the data has no test samples");
    }
    table
        .row("test loss", Figures.fixed(scores.loss(), 4))
        .row("test accuracy", Figures.percent(scores.accuracy()));
    scores.topFive().ifPresent(share -> table.row("test top-5", Figures.percent(share)));
    return table;
  }

  private static String memory(RunSummary summary) {
    String planned =
        summary
            .memory()
            .map(
                plan ->
                    "plan "
                        + Figures.bytes(plan.peakBytes())
                        + " (activations "
                        + Figures.bytes(plan.activationBytes())
                        + ")")
            .orElse("op by op");
    return summary.peakResident().isPresent()
        ? planned + ", process " + Figures.bytes(summary.peakResident().getAsLong())
        : planned;
  }
}
