package dev.halfcell.cli;

import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code halfcell resume}. */
@Command(
    name = "resume",
    description =
        "Goes on with a job: a paused one is queued again; of one that failed or was cancelled a"
            + " new job is made, whose id is printed.",
    mixinStandardHelpOptions = true)
final class ResumeCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private JobRequest request = new JobRequest();

  @Option(
      names = "--checkpoint",
      paramLabel = "NAME",
      description = "The checkpoint of the job to go on from. Default: the newest.")
  private Optional<String> checkpoint = Optional.empty();

  ResumeCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    return request.make(console, (client, id) -> client.resume(id, checkpoint));
  }
}
