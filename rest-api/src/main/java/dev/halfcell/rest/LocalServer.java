package dev.halfcell.rest;

import dev.halfcell.rest.http.HttpServerSettings;
import dev.halfcell.rest.http.Tokens;
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
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/** A whole job service on this machine: its folder, its store, its workers, HTTP. */
public final class LocalServer implements AutoCloseable {
  private static final Duration DRAIN = Duration.ofSeconds(8);

  private final LocalSettings settings;
  private final DataDirectory directory;
  private final HalfCellServer server;

  private LocalServer(LocalSettings settings, DataDirectory directory, HalfCellServer server) {
    this.settings = settings;
    this.directory = directory;
    this.server = server;
  }

  /**
   * Takes the folder, gives back to the queue what an earlier life left, and listens.
   *
   * @throws dev.halfcell.tensor.HalfCellException where a part cannot be had, saying which
   */
  public static LocalServer start(LocalSettings settings) {
    SettingsFile file =
        settings.settingsFile().map(SettingsFile::read).orElseGet(SettingsFile::usual);
    Tokens tokens =
        settings.tokenFile().map(path -> Tokens.parse(text(path))).orElseGet(Tokens::none);
    DataDirectory directory = DataDirectory.open(settings.data());
    try {
      JobFolders folders =
          new JobFolders(settings.artifacts().orElse(directory.path().resolve("jobs")));
      HalfCellServer server =
          HalfCellServer.start(
              new ServerSettings(
                  http(settings, file),
                  tokens,
                  folders,
                  file.limits(),
                  file.queue(),
                  file.housekeeping(settings.retainDays(), settings.retainJobs(), directory.path()),
                  () -> SqlJobStore.open(store(settings, file, directory)),
                  workers(settings, file, directory),
                  DRAIN,
                  Clock.systemUTC()));
      return new LocalServer(settings, directory, server);
    } catch (RuntimeException | Error e) {
      directory.close();
      throw e;
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new DataException(
          new Problem("--token-file", file.toString(), "a file", DataException.said(e), ""), e);
    }
  }

  private static HttpServerSettings http(LocalSettings settings, SettingsFile file) {
    HttpServerSettings at = HttpServerSettings.defaults().at(settings.host(), settings.port());
    Set<String> names = new LinkedHashSet<>(at.names());
    names.addAll(file.hosts());
    return at.called(names);
  }

  private static StoreSettings store(
      LocalSettings settings, SettingsFile file, DataDirectory directory) {
    return settings.store().equals("sqlite")
        ? new StoreSettings.Sqlite(directory.path().resolve("jobs.sqlite"))
        : new StoreSettings.Postgres(
            settings.store(),
            file.storeUser(),
            file.storePassword()
                .or(() -> Optional.ofNullable(System.getenv("HALFCELL_STORE_PASSWORD"))));
  }

  private static RunningWorkers.Factory workers(
      LocalSettings settings, SettingsFile file, DataDirectory directory) {
    return (JobStore store, EventHub hub, JobFolders folders) ->
        Supervisor.start(
            new WorkerSettings(
                directory.server(),
                settings.workers().orElse(1),
                file.limits().machineBytes(),
                WorkerSettings.MARGIN,
                directory.path(),
                folders,
                file.dataset(),
                WorkerCommand.ofThisProgram(),
                Timing.usual()),
            store,
            hub);
  }

  /** Where it can be asked from. */
  public URI address() {
    String host = settings.host();
    return URI.create(
        "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + server.port());
  }

  /** Takes no more jobs, has those that run save their state, and ends. */
  @Override
  public void close() {
    try (directory) {
      server.close();
    }
  }
}
