package dev.halfcell.cli;

import dev.halfcell.cli.text.Figures;
import dev.halfcell.train.diagnosis.Offender;
import dev.halfcell.zoo.run.Replay;
import dev.halfcell.zoo.run.RunFolder;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code halfcell diagnose}. */
@Command(
    name = "diagnose",
    description =
        "Runs a step of a run again, op by op, and names what first gave Inf or NaN; then shows"
            + " what half loses of the gradients, and the loss scale that would lose the least.",
    footer = {
      "",
      "With `train --diagnose` the batch that overflowed last is saved in the run's folder with the"
          + " state of its step, and is the one that is run. Without, it is the first batch of the"
          + " data, on the values and at the loss scale that the run has left."
    },
    mixinStandardHelpOptions = true)
final class DiagnoseCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(
      index = "0",
      paramLabel = "RUN",
      description = "The folder that `halfcell train` has written into.")
  private Path run;

  @Option(names = "--json", description = "Print the report of underflow as JSON, nothing else.")
  private boolean json;

  DiagnoseCommand(Console console) {
    this.console = console;
    this.run = Path.of("");
  }

  @Override
  public Integer call() {
    RunFolder folder = new RunFolder(run);
    Replay replay = Replay.of(folder);
    if (replay.step().isEmpty()) { // its data was read
      folder.place().notice().ifPresent(console::error);
    }
    print(replay, folder);
    return ExitCode.SUCCESS;
  }

  private void print(Replay replay, RunFolder folder) {
    if (json) {
      console.out().println(replay.underflow().json());
    } else {
      console.out().println("values: " + replay.values());
      console.out().println("batch: " + batch(replay, folder));
      console.out().println("loss scale: " + Figures.plain(replay.scale()));
      console
          .out()
          .println(
              replay
                  .offender()
                  .map(Offender::text)
                  .map(text -> "first offender: " + text)
                  .orElse("all is finite: the loss, the gradients and the update"));
      replay
          .demoted()
          .forEach(cell -> console.out().println("demoted to fp32 by this step: " + cell));
      console.out().print(replay.underflow().text());
    }
    console.out().flush();
  }

  private static String batch(Replay replay, RunFolder folder) {
    return replay.step().isPresent()
        ? folder.offendingBatch() + " (step " + replay.step().getAsLong() + ")"
        : "the first of its data";
  }
}
