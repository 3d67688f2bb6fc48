package dev.halfcell.rest;

import dev.halfcell.tensor.ArgumentException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A server of this machine without HTTP, as {@code halfcell worker} is told of it.
 *
 * @param data the server's own folder
 * @param workers how many jobs train at once; one where it is not said, for a job takes all
 *     processors
 * @param settingsFile what else can be set, and passwords
 * @param artifacts where files of jobs are kept: the folder that all servers of the store see
 * @param store the address of a PostgreSQL database
 */
public record LocalWorkerSettings(
    Path data,
    Optional<Integer> workers,
    Optional<Path> settingsFile,
    Path artifacts,
    String store) {
  public LocalWorkerSettings {
    ArgumentException.require(
        !store.equals("sqlite"),
        "--store",
        "the address of a PostgreSQL database, for SQLite's file is of one server alone",
        store);
  }
}
