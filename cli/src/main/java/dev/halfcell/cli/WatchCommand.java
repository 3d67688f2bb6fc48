package dev.halfcell.cli;

import dev.halfcell.rest.client.HalfCellClient;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code halfcell watch}. */
@Command(
    name = "watch",
    description = "Follows a job until it is over. Ctrl-C leaves it running.",
    footer = {"", JobWatch.EXIT_CODES},
    mixinStandardHelpOptions = true)
final class WatchCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private ServerOptions server = new ServerOptions();

  @Mixin private JobArgument job = new JobArgument();

  WatchCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    try (HalfCellClient client = server.client()) {
      return new JobWatch(console, client, job.id()).call();
    }
  }
}
