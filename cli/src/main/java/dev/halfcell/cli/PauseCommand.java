package dev.halfcell.cli;

import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code halfcell pause}. */
@Command(
    name = "pause",
    description = "Lets a job wait: its state is saved, and the machine is free for others.",
    mixinStandardHelpOptions = true)
final class PauseCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private JobRequest request = new JobRequest();

  @Option(
      names = "--wait",
      paramLabel = "N",
      converter = OptionValues.Wait.class,
      description = "Seconds to wait until it does, at most 60. Default: 0.")
  private Duration wait = Duration.ZERO;

  PauseCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    return request.make(console, (client, id) -> client.pause(id, wait));
  }
}
