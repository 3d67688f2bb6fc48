package dev.halfcell.rest;

import java.nio.file.Path;
import java.util.Optional;

/**
 * A server of this machine, as {@code halfcell serve} is told of it.
 *
 * @param host the address to listen at
 * @param port the port; 0 takes a free one
 * @param data the server's own folder
 * @param workers how many jobs train at once; one where it is not said, for a job takes all
 *     processors
 * @param tokenFile who may do what
 * @param settingsFile what else can be set, and passwords
 * @param artifacts where files of jobs are kept; in the own folder where it is not said, which only
 *     SQLite allows
 * @param retainDays how long jobs that are over are kept; as the settings file says where empty
 * @param retainJobs how many of them are kept; the same
 * @param store {@code sqlite}, or the address of a PostgreSQL database
 */
public record LocalSettings(
    String host,
    int port,
    Path data,
    Optional<Integer> workers,
    Optional<Path> tokenFile,
    Optional<Path> settingsFile,
    Optional<Path> artifacts,
    Optional<Double> retainDays,
    Optional<Long> retainJobs,
    String store) {
  /** On loopback, with all that is usual. */
  public static LocalSettings of(Path data, int port) {
    return new LocalSettings(
        "127.0.0.1",
        port,
        data,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        "sqlite");
  }

  /** The same with a settings file. */
  public LocalSettings with(Path settings) {
    return new LocalSettings(
        host,
        port,
        data,
        workers,
        tokenFile,
        Optional.of(settings),
        artifacts,
        retainDays,
        retainJobs,
        store);
  }
}
