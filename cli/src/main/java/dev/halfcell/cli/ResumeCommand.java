package dev.halfcell.cli;

import dev.halfcell.rest.client.HalfCellClient;
import dev.halfcell.rest.client.Job;
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

  @Mixin private ServerOptions server = new ServerOptions();

  @Mixin private JobArgument job = new JobArgument();

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
    try (HalfCellClient client = server.client()) {
      Job now = client.resume(job.id(), checkpoint);
      console.out().println(now.id() + " " + now.state());
      console.out().flush();
    }
    return ExitCode.SUCCESS;
  }
}
