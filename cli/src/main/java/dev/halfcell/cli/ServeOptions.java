package dev.halfcell.cli;

import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What {@code serve} can be told. What needs a look at the machine is the server's to refuse. */
final class ServeOptions {
  @Option(
      names = "--port",
      paramLabel = "N",
      converter = OptionValues.Port.class,
      description = "The port to listen at; 0 takes a free one. Default: 8080.")
  private int port = 8080;

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      description =
          "The address to listen at. Any but one of this machine alone wants tokens. Default:"
              + " 127.0.0.1.")
  private String host = "127.0.0.1";

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "The folder of the service: jobs, runs, logs; of one server at a time. Default:"
              + " halfcell-jobs.")
  private Path data = Path.of("halfcell-jobs");

  @Mixin private TrainerOptions trainer = new TrainerOptions();

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description =
          "Who may do what: a line each with a name, scopes (read, submit, admin, with commas"
              + " between them) and a token.")
  private Optional<Path> tokenFile = Optional.empty();

  @Option(
      names = "--artifacts",
      paramLabel = "DIR",
      description =
          "Where files of jobs are kept; with PostgreSQL it has to be said, and all servers must see"
              + " it. Default: in the folder of the service.")
  private Optional<Path> artifacts = Optional.empty();

  @Option(
      names = "--retain-days",
      paramLabel = "N",
      description = "Deletes jobs so long after their end, but not pinned ones. Default: never.")
  private Optional<Double> retainDays = Optional.empty();

  @Option(
      names = "--retain-jobs",
      paramLabel = "N",
      description =
          "Keeps so many jobs that are over, those that were sent last, and pinned ones. Default:"
              + " all.")
  private Optional<Long> retainJobs = Optional.empty();

  @Option(
      names = "--store",
      paramLabel = "sqlite|postgres://HOST/NAME",
      converter = OptionValues.Store.class,
      description =
          "Where jobs are kept: in the folder of the service, or in a database that servers share,"
              + " without its password. Default: sqlite.")
  private String store = "sqlite";

  int port() {
    return port;
  }

  String host() {
    return host;
  }

  Path data() {
    return data;
  }

  Optional<Integer> workers() {
    return trainer.workers();
  }

  Optional<Path> tokenFile() {
    return tokenFile;
  }

  Optional<Path> settings() {
    return trainer.settings();
  }

  Optional<Path> artifacts() {
    return artifacts;
  }

  Optional<Double> retainDays() {
    return retainDays;
  }

  Optional<Long> retainJobs() {
    return retainJobs;
  }

  /** {@code sqlite}, or the address of a database. */
  String store() {
    return store;
  }
}
