package dev.halfcell.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code halfcell serve}. */
@Command(
    name = "serve",
    description = "Trains networks as jobs that are submitted over HTTP, until it is told to end.",
    footer = {
      "",
      "Ctrl-C or SIGTERM: no more jobs are taken, those that run save their state and go on when a"
          + " server is started again; exit code 0."
    },
    mixinStandardHelpOptions = true)
final class ServeCommand implements Callable<Integer> {
  private final Console console;
  private final Interruption interruption;
  private final JobServer.Starter starter;

  @Mixin private ServeOptions options = new ServeOptions();

  ServeCommand(Console console, Interruption interruption, JobServer.Starter starter) {
    this.console = console;
    this.interruption = interruption;
    this.starter = starter;
  }

  @Override
  public Integer call() throws InterruptedException {
    interruption.watch();
    try (JobServer server = starter.start(options)) {
      console.out().println("Serving jobs at %1$s; dashboard: %1$s/".formatted(server.address()));
      console.out().flush();
      interruption.await();
    }
    return ExitCode.SUCCESS;
  }
}
