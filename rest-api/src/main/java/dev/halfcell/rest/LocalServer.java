package dev.halfcell.rest;

import dev.halfcell.rest.http.HttpServerSettings;
import dev.halfcell.rest.http.Tokens;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashSet;
import java.util.Set;

/** A whole job service on this machine: its folder, its store, its workers, HTTP. */
public final class LocalServer implements AutoCloseable {
  private final LocalSettings settings;
  private final LocalParts parts;
  private final HalfCellServer server;

  private LocalServer(LocalSettings settings, LocalParts parts, HalfCellServer server) {
    this.settings = settings;
    this.parts = parts;
    this.server = server;
  }

  /**
   * Takes the folder, gives back to the queue what an earlier life left, and listens.
   *
   * @throws dev.halfcell.tensor.HalfCellException where a part cannot be had, saying which
   */
  public static LocalServer start(LocalSettings settings) {
    Tokens tokens =
        settings.tokenFile().map(path -> Tokens.parse(text(path))).orElseGet(Tokens::none);
    LocalParts parts =
        LocalParts.take(
            new LocalParts.Told(
                settings.data(),
                settings.workers(),
                settings.settingsFile(),
                settings.artifacts(),
                settings.store()));
    try {
      SettingsFile file = parts.file();
      HttpServerSettings http = http(settings, file);
      http.requireUsable(tokens);
      HalfCellServer server =
          HalfCellServer.start(
              new ServerSettings(
                  http,
                  tokens,
                  parts.folders(),
                  file.limits(),
                  file.queue(),
                  file.housekeeping(
                      settings.retainDays(),
                      settings.retainJobs(),
                      parts.directory().path(),
                      parts.tracing()),
                  parts::open,
                  (store, hub, _) -> parts.start(store, hub),
                  LocalParts.DRAIN,
                  Clock.systemUTC()));
      return new LocalServer(settings, parts, server);
    } catch (RuntimeException | Error e) {
      parts.close();
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

  /** Where it can be asked from. */
  public URI address() {
    String host = settings.host();
    return URI.create(
        "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + server.port());
  }

  /** Takes no more jobs, has those that run save their state, and ends. */
  @Override
  public void close() {
    try (parts) {
      server.close();
    }
  }
}
