package dev.halfcell.cli;

import dev.halfcell.cli.progress.Notices;
import dev.halfcell.cli.progress.Progress;
import dev.halfcell.train.TrainListener;
import dev.halfcell.zoo.job.JobSpecification;
import dev.halfcell.zoo.profile.StepProfile;
import dev.halfcell.zoo.run.Ending;
import dev.halfcell.zoo.run.Resumption;
import dev.halfcell.zoo.run.RunFolder;
import dev.halfcell.zoo.run.RunPlace;
import dev.halfcell.zoo.run.RunSummary;
import dev.halfcell.zoo.run.TrainingRun;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code halfcell train}. */
@Command(
    name = "train",
    description = "Trains a network and writes what comes of it into a folder.",
    footer = {
      "",
      "Written: summary.json (settings, accuracy, speed, memory), metrics.jsonl (a line a step;"
          + " numbers that are not finite are null), model.safetensors (parameters and statistics;"
          + " the same seed gives the same bytes), plan.txt (precision of each cell), specification.json (the run with all defaults"
          + " filled in, for --config), run.json (where its data was found), loss.svg; with --profile profile-trace.json; with --log steps.csv and events.out.tfevents.NUMBER.halfcell; with --diagnose"
          + " offending-batch.safetensors and offending-state.safetensors.",
      "In summary.json step_ms_median is the median over all steps, samples_per_second is samples"
          + " over the seconds of all epochs (data reading included), final_train_loss is the mean"
          + " of the last epoch; test_loss, test_accuracy and test_top5_accuracy (shares from 0 to 1,"
          + " the latter null below six classes) are of the test samples, ema_test_... of the moving"
          + " averages.",
      "A checkpoint of all that the run needs to go on is saved in checkpoints after each epoch, every"
          + " 30 seconds, and where Ctrl-C or SIGTERM ends the training, after the step at hand; the"
          + " last two are kept."
    },
    mixinStandardHelpOptions = true)
final class TrainCommand implements Callable<Integer> {
  private final Console console;
  private final Interruption interruption;

  @Mixin private TrainOptions options;

  @Option(names = "--quiet", description = "Print the closing table and errors, nothing else.")
  private boolean quiet;

  @Option(
      names = "--profile",
      description =
          "Measure 50 steps of this process, once Java has compiled them: time by part, op and cell is"
              + " printed at the end, and profile-trace.json is written, which Perfetto"
              + " (ui.perfetto.dev) opens.")
  private boolean profile;

  TrainCommand(Console console, Interruption interruption) {
    this.console = console;
    this.interruption = interruption;
    this.options = new TrainOptions();
  }

  @Override
  public Integer call() {
    interruption.watch();
    Optional<RunFolder> resumed = options.resumed();
    return resumed.isPresent() ? resume(resumed.get()) : begin();
  }

  private int begin() {
    JobSpecification specification = options.specification();
    try (TrainingRun run = TrainingRun.open(specification, options.data())) {
      RunFolder folder = options.openFolder(run.settings());
      return train(
          run, folder, false, progress -> run.train(folder, progress, interruption::requested));
    }
  }

  private int resume(RunFolder folder) {
    Optional<String> data = options.data().or(() -> dataOf(folder.place()));
    try (TrainingRun run = TrainingRun.open(folder.specification(), data)) {
      Resumption from = run.restore(folder);
      from.lines().forEach(console::error);
      return train(
          run, folder, true, progress -> run.goOn(from, progress, interruption::requested));
    }
  }

  private Optional<String> dataOf(RunPlace place) {
    place.notice().ifPresent(console::error);
    return place.choice();
  }

  private int train(
      TrainingRun run, RunFolder folder, boolean begun, Function<TrainListener, Ending> training) {
    Optional<StepProfile> measured = profile ? Optional.of(run.profiled()) : Optional.empty();
    if (!quiet) {
      new TrainingReport(console.out()).opening(run);
    }
    Ending ending = ending(run, folder, begun, training);
    drawLoss(run, folder);
    int code = ended(ending, folder);
    measured.ifPresent(of -> new TrainingReport(console.out()).profile(of, folder));
    return code;
  }

  private int ended(Ending ending, RunFolder folder) {
    return switch (ending) {
      case Ending.Completed(RunSummary summary) -> completed(summary, folder);
      case Ending.Interrupted(int steps, var checkpoint) -> {
        console.error("interrupted after step " + steps + "; its state is in " + checkpoint + ".");
        yield ExitCode.INTERRUPTED;
      }
    };
  }

  private Ending ending(
      TrainingRun run, RunFolder folder, boolean begun, Function<TrainListener, Ending> training) {
    try (Progress progress = progress()) {
      return UnfinishedTraining.unless(folder, begun, told(run, progress), training);
    }
  }

  /** A chart less is no reason to call a trained network a failure. */
  private void drawLoss(TrainingRun run, RunFolder folder) {
    try {
      LossChart.write(run.settings(), run.loss(), folder.lossChart());
    } catch (UndrawableException e) {
      console.error("loss.svg could not be drawn: " + e.getMessage());
    }
  }

  private static TrainListener told(TrainingRun run, Progress progress) {
    Notices notices = new Notices(progress::say, run.namesOffenders(), run::demoted);
    return event -> {
      progress.on(event);
      notices.on(event);
    };
  }

  private Progress progress() {
    return quiet ? new Progress.Silent() : Progress.on(console.out(), console.terminal());
  }

  private int completed(RunSummary summary, RunFolder folder) {
    new TrainingReport(console.out()).closing(summary, folder);
    if (Double.isFinite(summary.totals().lastEpochLoss())) {
      return ExitCode.SUCCESS;
    }
    console.error(
        "training failed: no step of the last epoch had a finite loss. Lower --learning-rate, or"
            + " take another --loss-scale or --level.");
    return ExitCode.NON_FINITE;
  }
}
