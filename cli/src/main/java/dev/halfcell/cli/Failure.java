package dev.halfcell.cli;

import dev.halfcell.rest.client.ClientException;
import dev.halfcell.rest.client.ProblemException;
import dev.halfcell.rest.store.StoreException;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.HalfCellException;
import dev.halfcell.tensor.MemoryException;
import dev.halfcell.tensor.NonFiniteException;
import dev.halfcell.tensor.OutOfHeap;
import dev.halfcell.tensor.ShapeException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.util.Objects;
import java.util.Optional;

/** What ended a command, as its caller is told. */
record Failure(Throwable error) {
  private static final int SERVERS_FAULT = 500;

  Failure {
    error = OutOfHeap.orThrown(error);
  }

  /** What HalfCell says of an error itself is for users; of any other they need its kind too. */
  String line() {
    return switch (error) {
      case UnfinishedTraining training ->
          new Failure(training.why()).line() + " " + training.checkpoint();
      case OutOfMemoryError none ->
          "too little memory: "
              + none.getMessage()
              + ". Take a smaller --batch-size or network, or give Java more, such as"
              + " HALFCELL_JAVA_OPTS=-Xmx4g.";
      case HalfCellException known -> known.problem().message();
      case UncheckedIOException wrapped ->
          new Failure(Objects.requireNonNull(wrapped.getCause())).line();
      case FileSystemException file ->
          file.getFile()
              + ": "
              + Optional.ofNullable(file.getReason()).orElse(file.getClass().getSimpleName());
      default -> error.getClass().getSimpleName() + ": " + error.getMessage();
    };
  }

  /** Where in the code it comes from. */
  Throwable cause() {
    return error instanceof UnfinishedTraining training ? training.why() : error;
  }

  /** Arguments and shapes that do not fit are the caller's to change. */
  int exitCode() {
    return switch (error) {
      case UnfinishedTraining training -> new Failure(training.why()).exitCode();
      case ArgumentException _, ShapeException _ -> ExitCode.BAD_ARGUMENTS;
      case ProblemException problem -> code(problem);
      case ClientException _ -> ExitCode.UNREACHABLE;
      case NonFiniteException _ -> ExitCode.NON_FINITE;
      case DataException _, StoreException _, IOException _, UncheckedIOException _ ->
          ExitCode.DISK_OR_DATA;
      case MemoryException _, OutOfMemoryError _ -> ExitCode.MEMORY;
      default -> ExitCode.FAILURE;
    };
  }

  /** What a server refuses the caller can change; what it cannot do now or at all is its own. */
  private static int code(ProblemException problem) {
    boolean servers = problem.passing() || problem.status() >= SERVERS_FAULT;
    return servers ? ExitCode.UNREACHABLE : ExitCode.BAD_ARGUMENTS;
  }
}
