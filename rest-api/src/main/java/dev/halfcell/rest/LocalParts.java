package dev.halfcell.rest;

import dev.halfcell.rest.service.EventHub;
import dev.halfcell.rest.service.JobFolders;
import dev.halfcell.rest.service.RunningWorkers;
import dev.halfcell.rest.store.JobStore;
import dev.halfcell.rest.store.SqlJobStore;
import dev.halfcell.rest.store.StoreSettings;
import dev.halfcell.rest.supervisor.Supervisor;
import dev.halfcell.rest.supervisor.Timing;
import dev.halfcell.rest.supervisor.WorkerCommand;
import dev.halfcell.rest.supervisor.WorkerSettings;
import dev.halfcell.rest.tracing.Tracing;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Problem;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * What every server of this machine has, with HTTP or without.
 *
 * @param file what its settings file says
 * @param directory its own folder
 * @param folders where files of jobs are
 * @param slots how many jobs train at once
 * @param database where jobs are kept
 * @param tracing is told of requests and trainings
 */
record LocalParts(
    SettingsFile file,
    DataDirectory directory,
    JobFolders folders,
    int slots,
    StoreSettings database,
    Tracing tracing)
    implements AutoCloseable {
  /** How long running jobs have to save their state when a server ends. */
  static final Duration DRAIN = Duration.ofSeconds(8);

  private static final String SQLITE = "sqlite";
  private static final String PASSWORD = "HALFCELL_STORE_PASSWORD";

  /**
   * What a server of this machine is told.
   *
   * @param data its own folder
   * @param workers how many jobs train at once; one where it is not said
   * @param settings what else can be set
   * @param artifacts where files of jobs are kept; in the own folder where it is not said
   * @param store {@code sqlite}, or the address of a PostgreSQL database
   */
  record Told(
      Path data,
      Optional<Integer> workers,
      Optional<Path> settings,
      Optional<Path> artifacts,
      String store) {
    boolean shared() {
      return !store.equals(SQLITE);
    }
  }

  /**
   * Reads the settings and takes the folder.
   *
   * @throws dev.halfcell.tensor.HalfCellException where a part cannot be had, saying which
   */
  static LocalParts take(Told told) {
    if (told.shared() && told.artifacts().isEmpty()) {
      throw new ArgumentException(
          new Problem(
              "--artifacts",
              "",
              "with PostgreSQL, a folder that all its servers see",
              "none",
              "In a server's own folder no other would find what a job has saved."));
    }
    SettingsFile file = told.settings().map(SettingsFile::read).orElseGet(SettingsFile::usual);
    Tracing tracing = Tracing.ofEnvironment();
    DataDirectory directory = DataDirectory.open(told.data());
    Path folders = told.artifacts().orElse(directory.path().resolve("jobs"));
    return new LocalParts(
        file,
        directory,
        new JobFolders(folders),
        told.workers().orElse(1),
        database(told, file, directory),
        tracing);
  }

  private static StoreSettings database(Told told, SettingsFile file, DataDirectory directory) {
    return told.shared()
        ? new StoreSettings.Postgres(
            told.store(),
            file.storeUser(),
            file.storePassword().or(() -> Optional.ofNullable(System.getenv(PASSWORD))))
        : new StoreSettings.Sqlite(directory.path().resolve("jobs.sqlite"));
  }

  /** Opens the store. */
  JobStore open() {
    return SqlJobStore.open(database);
  }

  /** Gives back the folder; the store and workers are closed by who opened them. */
  @Override
  public void close() {
    try (directory) {
      tracing.close();
    }
  }

  /**
   * Starts what trains, where the files of the store's jobs are where this server looks for them.
   */
  RunningWorkers start(JobStore store, EventHub hub) {
    Optional<Path> mark =
        database instanceof StoreSettings.Postgres
            ? Optional.of(ArtifactFolder.require(folders.root(), store))
            : Optional.empty();
    return Supervisor.start(
        new WorkerSettings(
            directory.server(),
            slots,
            file.limits().machineBytes(),
            WorkerSettings.MARGIN,
            directory.path(),
            folders,
            mark,
            file.dataset(),
            WorkerCommand.ofThisProgram(),
            Timing.usual(),
            tracing),
        store,
        hub);
  }
}
