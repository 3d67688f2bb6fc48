package dev.halfcell.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code halfcell worker}. */
@Command(
    name = "worker",
    description =
        "Trains jobs of a queue that servers share, until it is told to end. It listens nowhere:"
            + " jobs are submitted to a 'halfcell serve' of the same store.",
    footer = {
      "",
      "Ctrl-C or SIGTERM: no more jobs are taken, those that run save their state and go back to the"
          + " queue, for whichever server is free; exit code 0."
    },
    mixinStandardHelpOptions = true)
final class WorkerCommand implements Callable<Integer> {
  private final Console console;
  private final Interruption interruption;
  private final JobTrainer.Starter starter;

  @Mixin private WorkerOptions options = new WorkerOptions();

  WorkerCommand(Console console, Interruption interruption, JobTrainer.Starter starter) {
    this.console = console;
    this.interruption = interruption;
    this.starter = starter;
  }

  @Override
  public Integer call() throws InterruptedException {
    interruption.watch();
    try (JobTrainer trainer = starter.start(options)) {
      console
          .out()
          .println(
              "Training jobs of the queue as server %s, %d at a time."
                  .formatted(trainer.name(), trainer.slots()));
      console.out().flush();
      interruption.await();
    }
    return ExitCode.SUCCESS;
  }
}
