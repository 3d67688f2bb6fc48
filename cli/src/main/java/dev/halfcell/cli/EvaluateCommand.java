package dev.halfcell.cli;

import dev.halfcell.cli.text.Table;
import dev.halfcell.zoo.data.DataSplit;
import dev.halfcell.zoo.run.RunModel;
import dev.halfcell.zoo.run.TestScores;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code halfcell evaluate}. */
@Command(
    name = "evaluate",
    description = "Measures what a run has trained on its test samples, at the run's level.",
    footer = {
      "",
      "With the run's own data and batch size the finished model has the numbers of its"
          + " summary.json, bit for bit on the same machine."
    },
    mixinStandardHelpOptions = true)
final class EvaluateCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private ModelOptions model = new ModelOptions();

  @Option(
      names = "--data",
      paramLabel = "DIR|embedded",
      description = "The folder with the data set. Default: where the run found it.")
  private Optional<String> data = Optional.empty();

  @Option(
      names = "--batch-size",
      paramLabel = "N",
      converter = OptionValues.Count.class,
      description = "Samples computed at a time. Default: the run's.")
  private Optional<Integer> batchSize = Optional.empty();

  @Option(
      names = "--json",
      description = "Print the numbers as JSON, with the keys of summary.json.")
  private boolean json;

  EvaluateCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    try (RunModel run = model.open()) {
      if (data.isEmpty()) {
        run.place().notice().ifPresent(console::error);
      }
      DataSplit split = run.openData(data);
      TestScores scores =
          run.evaluate(split, batchSize.map(OptionalInt::of).orElse(OptionalInt.empty()));
      if (json) {
        console.out().println(scores.json(model.averaged()));
      } else {
        print(run, split, scores);
      }
      console.out().flush();
    }
    return ExitCode.SUCCESS;
  }

  private void print(RunModel run, DataSplit split, TestScores scores) {
    Table table =
        new Table()
            .row("network", run.network().name() + " on " + run.device())
            .row("level", run.precision())
            .row("dataset", split.description())
            .row("values", run.values().toString());
    TrainingReport.scores(table, scores).lines().forEach(console.out()::println);
  }
}
