package dev.halfcell.cli;

import dev.halfcell.amp.Summary;
import dev.halfcell.cli.text.Figures;
import dev.halfcell.cli.text.Table;
import dev.halfcell.tensor.DType;
import dev.halfcell.zoo.NetworkDefinition;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code halfcell summary}. */
@Command(
    name = "summary",
    description =
        "Prints what a network is made of: a line per cell with its output, parameters,"
            + " multiply-adds and output bytes.",
    footer = {
      "",
      "Figures are a cell's own, without those of the cells below it, for one forward pass;"
          + " parameters are kept in fp32 at every level."
    },
    mixinStandardHelpOptions = true)
final class SummaryCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private PrecisionOptions precision = new PrecisionOptions();

  @Option(
      names = "--batch-size",
      paramLabel = "N",
      defaultValue = "1",
      converter = OptionValues.Count.class,
      description = "The samples in the batch. Default: 1.")
  private int batchSize;

  SummaryCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    NetworkDefinition network = precision.network();
    Summary summary =
        Summary.of(
            network.build(),
            List.of(network.sample().as(network.sample().shape().behind(batchSize))),
            precision.level(),
            precision.options());
    Table table = new Table().row(Summary.columns().toArray(String[]::new));
    summary.cells().forEach(row -> table.row(row.toArray(String[]::new)));
    table.lines().forEach(console.out()::println);
    console
        .out()
        .printf(
            "%s, %s, batch %d: %s parameters (%s), %s multiply-adds, outputs of %s%n",
            network.name(),
            precision.level(),
            batchSize,
            Figures.count((double) summary.parameters()),
            Figures.bytes(summary.parameters() * DType.FP32.bytes()),
            Figures.count((double) summary.multiplyAdds()),
            Figures.bytes(summary.bytes()));
    console.out().flush();
    return ExitCode.SUCCESS;
  }
}
