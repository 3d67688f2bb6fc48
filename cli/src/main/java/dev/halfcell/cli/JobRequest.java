package dev.halfcell.cli;

import dev.halfcell.rest.client.HalfCellClient;
import dev.halfcell.rest.client.Job;
import java.util.function.BiFunction;
import picocli.CommandLine.Mixin;

/** Something that a command wants of a job; what the job is then is printed. */
final class JobRequest {
  @Mixin private ServerOptions server = new ServerOptions();

  @Mixin private JobArgument job = new JobArgument();

  /** Asks for it, by the job's id. */
  int make(Console console, BiFunction<HalfCellClient, String, Job> wanted) {
    try (HalfCellClient client = server.client()) {
      Job now = wanted.apply(client, job.id());
      console.out().println(now.id() + " " + now.state());
      console.out().flush();
    }
    return ExitCode.SUCCESS;
  }
}
