package dev.halfcell.cli;

import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Mixin;
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

  @Mixin private TrainerOptions trainer = new TrainerOptions();

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
    return trainer.workers();
  }

  Optional<Path> settings() {
    return trainer.settings();
  }
}
