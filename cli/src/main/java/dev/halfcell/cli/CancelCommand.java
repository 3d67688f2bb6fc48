package dev.halfcell.cli;

import dev.halfcell.rest.client.HalfCellClient;
import dev.halfcell.rest.client.Job;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code halfcell cancel}. */
@Command(
    name = "cancel",
    description = "Ends a job: at once where it waits, after saving its state where it runs.",
    mixinStandardHelpOptions = true)
final class CancelCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private ServerOptions server = new ServerOptions();

  @Mixin private JobArgument job = new JobArgument();

  @Option(
      names = "--wait",
      paramLabel = "N",
      converter = OptionValues.Wait.class,
      description = "Seconds to wait for the job's end, at most 60. Default: 0.")
  private Duration wait = Duration.ZERO;

  CancelCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    try (HalfCellClient client = server.client()) {
      Job now = client.cancel(job.id(), wait);
      console.out().println(now.id() + " " + now.state());
      console.out().flush();
    }
    return ExitCode.SUCCESS;
  }
}
