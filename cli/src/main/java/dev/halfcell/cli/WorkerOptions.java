package dev.halfcell.cli;

import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** What {@code worker} can be told; what it shares with other servers it has to be told. */
final class WorkerOptions {
  @Option(
      names = "--store",
      paramLabel = "postgres://HOST/NAME",
      required = true,
      converter = OptionValues.SharedStore.class,
      description = "The database that servers share, without its password.")
  private String store = "";

  @Option(
      names = "--artifacts",
      paramLabel = "DIR",
      required = true,
      description = "Where files of jobs are kept: a folder that all servers of the store see.")
  private Path artifacts = Path.of("");

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "This server's own folder; of one server at a time, and of no other machine. Default:"
              + " halfcell-worker.")
  private Path data = Path.of("halfcell-worker");

  @Option(
      names = "--workers",
      paramLabel = "N",
      converter = OptionValues.Count.class,
      description = "How many jobs train at once. Default: 1, for a job takes all processors.")
  private Optional<Integer> workers = Optional.empty();

  @Option(
      names = "--settings",
      paramLabel = "FILE",
      description = "A file with what else can be set, and with passwords.")
  private Optional<Path> settings = Optional.empty();

  String store() {
    return store;
  }

  Path artifacts() {
    return artifacts;
  }

  Path data() {
    return data;
  }

  Optional<Integer> workers() {
    return workers;
  }

  Optional<Path> settings() {
    return settings;
  }
}
