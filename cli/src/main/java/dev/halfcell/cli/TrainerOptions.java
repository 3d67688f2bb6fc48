package dev.halfcell.cli;

import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** What each server that trains jobs can be told, whether it listens or not. */
final class TrainerOptions {
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

  Optional<Integer> workers() {
    return workers;
  }

  Optional<Path> settings() {
    return settings;
  }
}
