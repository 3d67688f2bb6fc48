package dev.halfcell.cli;

import dev.halfcell.cli.text.Figures;
import dev.halfcell.cli.text.Printable;
import dev.halfcell.cli.text.Table;
import dev.halfcell.rest.client.DryRun;
import dev.halfcell.rest.client.HalfCellClient;
import dev.halfcell.rest.client.HalfCellClient.SubmitOptions;
import dev.halfcell.zoo.job.JobSpecification;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code halfcell submit}. */
@Command(
    name = "submit",
    description = "Has a server train a network, and prints the id of the job.",
    footer = {
      "",
      "A connection that breaks is no reason to submit again: the same request goes out until it is"
          + " answered, and makes one job.",
      JobWatch.EXIT_CODES
    },
    mixinStandardHelpOptions = true)
final class SubmitCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private ServerOptions server = new ServerOptions();

  @Mixin private SpecificationOptions run = new SpecificationOptions();

  @Option(
      names = "--data",
      paramLabel = "synthetic",
      converter = OptionValues.Synthetic.class,
      description =
          "Short for the key /dataset/name: random numbers of the network's own shape. Other data"
              + " lies where the server looks for it.")
  void data(String choice) {
    run.say(SpecificationOptions.SYNTHETIC, choice);
  }

  @Option(names = "--name", paramLabel = "NAME", description = "What people call the job.")
  void name(String name) {
    run.say("/name", name);
  }

  @Option(
      names = "--label",
      paramLabel = "KEY=VALUE",
      description = "What people find the job by; may be given several times.")
  void labels(Map<String, String> labels) {
    run.say("/labels", labels);
  }

  @Option(
      names = "--priority",
      paramLabel = "N",
      description = "Jobs of a higher priority go first, from -100 to 100. Default: 0.")
  void priority(int priority) {
    run.say("/priority", priority);
  }

  @Option(
      names = "--external-id",
      paramLabel = "ID",
      description = "Your own name for the job; no two of your jobs may have the same.")
  private Optional<String> externalId = Optional.empty();

  @Option(names = "--dry-run", description = "Print what would be queued; nothing is.")
  private boolean dryRun;

  @Option(names = "--wait", description = "Then watch the job, as `halfcell watch` does.")
  private boolean wait;

  SubmitCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    JobSpecification specification = run.specification();
    try (HalfCellClient client = server.client()) {
      if (dryRun) {
        print(client.dryRun(specification));
        return ExitCode.SUCCESS;
      }
      SubmitOptions options = new SubmitOptions(externalId, Optional.empty());
      String id = client.submit(specification, options).job().id();
      console.out().println(id);
      console.out().flush();
      return wait ? new JobWatch(console, client, id).call() : ExitCode.SUCCESS;
    }
  }

  private void print(DryRun run) {
    Table table = new Table();
    table
        .row("network", run.network())
        .row("level", run.level())
        .row(
            "steps",
            "%d in %d epochs, of %d samples"
                .formatted(run.totalSteps(), run.epochs(), run.batchSize()))
        .row(
            "memory",
            Figures.bytes(run.memory().bytes())
                + ", a job may hold "
                + Figures.bytes(run.memory().limitBytes()));
    run.memory()
        .device()
        .ifPresent(
            on ->
                table.row(
                    "memory of " + on.name(),
                    Figures.bytes(on.bytes()) + " of " + Figures.bytes(on.limitBytes())));
    run.time().ifPresent(time -> table.row("time", text(time)));
    table.lines().forEach(line -> console.out().println(Printable.text(line)));
    console.out().flush();
  }

  private static String text(DryRun.Time time) {
    return Figures.duration(time.seconds())
        + " once it is begun, as job "
        + time.measuredBy()
        + " took "
        + Figures.fixed(time.secondsPerStep() * 1000, 2)
        + " ms a step";
  }
}
