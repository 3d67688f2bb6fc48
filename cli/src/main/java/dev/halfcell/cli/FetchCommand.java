package dev.halfcell.cli;

import dev.halfcell.cli.text.Figures;
import dev.halfcell.rest.client.Artifact;
import dev.halfcell.rest.client.HalfCellClient;
import dev.halfcell.tensor.ArgumentException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code halfcell fetch}. */
@Command(
    name = "fetch",
    description = "Brings files of a job here.",
    footer = {
      "",
      "A download that breaks off goes on where it was, also the next time. A file has its name"
          + " only when all of it is here and its SHA-256 is right; what is here already is not"
          + " fetched again."
    },
    mixinStandardHelpOptions = true)
final class FetchCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private ServerOptions server = new ServerOptions();

  @Mixin private JobArgument job = new JobArgument();

  @Parameters(
      index = "1..*",
      paramLabel = "FILE",
      description = "Which files, such as model.safetensors. Default: all that there are.")
  private List<String> names = new ArrayList<>();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "The folder to bring them into. Default: one that is called as the job's id.")
  private Optional<Path> out = Optional.empty();

  FetchCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    try (HalfCellClient client = server.client()) {
      List<Artifact> artifacts = wanted(client.artifacts(job.id()));
      Path folder = out.orElseGet(() -> Path.of(job.id()));
      for (Artifact artifact : artifacts) {
        Path file = client.fetch(job.id(), artifact, folder);
        console.out().println(file + "  " + Figures.bytes(file.toFile().length()));
        console.out().flush();
      }
    }
    return ExitCode.SUCCESS;
  }

  private List<Artifact> wanted(List<Artifact> all) {
    if (names.isEmpty()) {
      return all;
    }
    return names.stream().distinct().map(name -> named(all, name)).toList();
  }

  private static Artifact named(List<Artifact> all, String name) {
    return all.stream()
        .filter(artifact -> artifact.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new ArgumentException(
                    "FILE",
                    all.isEmpty()
                        ? "a job with files"
                        : "one of "
                            + all.stream().map(Artifact::name).collect(Collectors.joining(", ")),
                    "'" + name + "'"));
  }
}
