package dev.halfcell.cli;

import dev.halfcell.backend.BackendProvider;
import dev.halfcell.backend.Backends;
import dev.halfcell.cli.text.Figures;
import dev.halfcell.cli.text.Table;
import dev.halfcell.tensor.HalfCellException;
import dev.halfcell.zoo.NetworkDefinition;
import dev.halfcell.zoo.Networks;
import dev.halfcell.zoo.TrainingDefaults;
import dev.halfcell.zoo.data.DataSetDefinition;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code halfcell list}. */
@Command(
    name = "list",
    description = "Lists the networks, the data sets with where they were found, and the devices.",
    mixinStandardHelpOptions = true)
final class ListCommand implements Callable<Integer> {
  private final Console console;

  ListCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    section("Networks", networks());
    console.out().println();
    section("Data sets", dataSets());
    console.out().println();
    section("Devices", devices());
    return ExitCode.SUCCESS;
  }

  private void section(String title, Table table) {
    console.out().println(title);
    table.lines().forEach(line -> console.out().println("  " + line));
    console.out().flush();
  }

  private static Table networks() {
    Table table = new Table();
    for (NetworkDefinition network : Networks.all()) {
      TrainingDefaults recipe = network.defaults();
      table.row(network.name(), network.summary());
      table.row(
          "",
          "trained on %s: batch %d, %d epochs, learning rate %s (%s), momentum %s, decay %s"
              .formatted(
                  network.data().name(),
                  recipe.batchSize(),
                  recipe.epochs(),
                  Figures.plain(recipe.learningRate()),
                  recipe.schedule().text(),
                  Figures.plain(recipe.momentum()),
                  Figures.plain(recipe.weightDecay())));
    }
    return table;
  }

  private static Table dataSets() {
    Table table = new Table();
    List<DataSetDefinition> known =
        Networks.all().stream().map(NetworkDefinition::data).distinct().toList();
    for (DataSetDefinition data : known) {
      table.row(data.name(), data.summary());
      table.row("", "found here: " + found(data));
      table.row("", "looked for: " + data.places());
    }
    return table;
  }

  /** What is there but broken is reported, and the rest of the list still printed. */
  private static String found(DataSetDefinition data) {
    try {
      return data.open(Optional.empty()).description();
    } catch (HalfCellException broken) {
      return "not usable: " + broken.getMessage();
    }
  }

  /** Each with the first of what {@code doctor} knows: what it is, or why it cannot be used. */
  private static Table devices() {
    Table table = new Table();
    for (BackendProvider provider : Backends.providers()) {
      String chosen = provider.preference() < 0 ? "only by name" : "may be chosen by auto";
      table.row(provider.name(), chosen);
      table.row("", provider.diagnose().getFirst());
    }
    return table;
  }
}
