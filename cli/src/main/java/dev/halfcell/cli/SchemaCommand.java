package dev.halfcell.cli;

import dev.halfcell.zoo.job.JobSpecification;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code halfcell schema}. */
@Command(
    name = "schema",
    description =
        "Prints the JSON schema of the files that train --config reads, for editors and programs.",
    mixinStandardHelpOptions = true)
final class SchemaCommand implements Callable<Integer> {
  private final Console console;

  SchemaCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    console.out().print(JobSpecification.schema());
    console.out().flush();
    return ExitCode.SUCCESS;
  }
}
