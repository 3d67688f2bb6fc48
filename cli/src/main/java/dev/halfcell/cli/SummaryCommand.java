package dev.halfcell.cli;

import dev.halfcell.amp.LevelComparison;
import dev.halfcell.amp.Summary;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Backends;
import dev.halfcell.cli.text.Figures;
import dev.halfcell.cli.text.Table;
import dev.halfcell.optim.Momentum;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.zoo.NetworkDefinition;
import dev.halfcell.zoo.TrainingDefaults;
import dev.halfcell.zoo.job.Assembly;
import dev.halfcell.zoo.job.JobSpecification;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code halfcell summary}. */
@Command(
    name = "summary",
    description =
        "Prints what a network is made of: a line per cell with its output, parameters,"
            + " multiply-adds and output bytes.",
    footer = {
      "",
      "Figures are a cell's own, without those of the cells below it, for one forward pass;"
          + " parameters are kept in fp32 at every level, unless --half-parameters is given."
    },
    mixinStandardHelpOptions = true)
final class SummaryCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private NetworkArgument network = new NetworkArgument();

  @Mixin private PrecisionOptions precision = new PrecisionOptions();

  @Option(
      names = "--batch-size",
      paramLabel = "N",
      defaultValue = "1",
      converter = OptionValues.Count.class,
      description = "The samples in the batch. Default: 1.")
  private int batchSize;

  @Option(
      names = "--compare",
      description =
          "Print instead what a training step takes at each level: bytes of parameters, optimizer,"
              + " gradients, activations and copies in half, and the plan's peak.")
  private boolean compare;

  @Option(
      names = "--measure",
      paramLabel = "STEPS",
      converter = OptionValues.Count.class,
      description = "With --compare: the median time of so many steps on a batch of zeros.")
  private Optional<Integer> measure;

  @Spec private CommandSpec spec;

  SummaryCommand(Console console) {
    this.console = console;
    this.spec = CommandSpec.create();
  }

  @Override
  public Integer call() {
    if (compare) {
      requireNoLevel();
      return compared();
    }
    if (measure.isPresent()) {
      throw new ParameterException(spec.commandLine(), "--measure goes with --compare.");
    }
    Assembly parts = parts();
    NetworkDefinition definition = parts.network();
    Summary summary =
        Summary.of(definition.build(), List.of(batch(definition)), parts.level(), parts.options());
    Table table = new Table().row(Summary.columns().toArray(String[]::new));
    summary.cells().forEach(row -> table.row(row.toArray(String[]::new)));
    table.lines().forEach(console.out()::println);
    console
        .out()
        .printf(
            "%s, %s, batch %d: %s parameters (%s), %s multiply-adds, outputs of %s%n",
            definition.name(),
            parts.level(),
            batchSize,
            Figures.count((double) summary.parameters()),
            Figures.bytes(summary.parameters() * parts.storage().bytes()),
            Figures.count((double) summary.multiplyAdds()),
            Figures.bytes(summary.bytes()));
    console.out().flush();
    return ExitCode.SUCCESS;
  }

  private void requireNoLevel() {
    if (spec.commandLine().getParseResult().hasMatchedOption("--level")) {
      throw new ParameterException(
          spec.commandLine(), "--level goes without --compare, which is about all levels.");
    }
  }

  private Assembly parts() {
    return new Assembly(precision.over(JobSpecification.of(network.network().name())).resolved());
  }

  private TensorSpec batch(NetworkDefinition definition) {
    return definition.sample().as(definition.sample().shape().behind(batchSize));
  }

  private int compared() {
    try (Backend backend = Backends.open("auto");
        TensorScope scope = TensorScope.open()) {
      Assembly parts = parts();
      TrainingDefaults recipe = parts.network().defaults();
      LevelComparison.Training training =
          new LevelComparison.Training(
              parts.network().build(),
              NetworkDefinition.loss(),
              new Momentum(recipe.learningRate(), recipe.momentum()),
              parts.options().backend(backend));
      List<TensorSpec> inputs =
          List.of(batch(parts.network()), TensorSpec.of(DType.INT64, batchSize));
      LevelComparison found =
          measure.isPresent()
              ? LevelComparison.measured(
                  training,
                  inputs.stream().map(scope::allocate).toList(),
                  measure.get(),
                  Level.values())
              : LevelComparison.of(training, inputs, Level.values());
      Table table = new Table().row(LevelComparison.columns().toArray(String[]::new));
      found.cells().forEach(row -> table.row(row.toArray(String[]::new)));
      table.lines().forEach(console.out()::println);
      console.out().flush();
    }
    return ExitCode.SUCCESS;
  }
}
