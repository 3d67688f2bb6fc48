package dev.halfcell.rest.supervisor;

import dev.halfcell.rest.service.JobFolders;
import dev.halfcell.rest.tracing.Tracing;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a server starts its workers with.
 *
 * @param server its name, the same each time that it starts on this data directory
 * @param slots how many may train at a time
 * @param memory the bytes that all of them together may hold by their estimates
 * @param margin what a worker may hold beyond its estimate and a tenth of it
 * @param directory the server's own, for its socket
 * @param folders where files of jobs are
 * @param mark a file that is among them as long as they are there; none where they are the server's
 *     own
 * @param dataset where data is, as {@link dev.halfcell.zoo.data.DataSetDefinition#open} takes it
 * @param command how a worker is started
 * @param timing how long what may take
 * @param tracing is told of each attempt
 */
public record WorkerSettings(
    String server,
    int slots,
    long memory,
    long margin,
    Path directory,
    JobFolders folders,
    Optional<Path> mark,
    Optional<String> dataset,
    WorkerCommand command,
    Timing timing,
    Tracing tracing) {
  /** What a worker may hold beyond its estimate, unless told otherwise. */
  public static final long MARGIN = 64L << 20;
}
