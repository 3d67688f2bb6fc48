package dev.halfcell.cli;

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

  @Mixin private JobRequest request = new JobRequest();

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
    return request.make(console, (client, id) -> client.cancel(id, wait));
  }
}
