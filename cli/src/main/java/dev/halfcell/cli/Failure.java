package dev.halfcell.cli;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.HalfCellException;
import dev.halfcell.tensor.ShapeException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.util.Objects;
import java.util.Optional;

/** What ended a command, as its caller is told. */
record Failure(Throwable error) {
  /** What HalfCell says of an error itself is for users; of any other they need its kind too. */
  String line() {
    return switch (error) {
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

  /** Arguments, data and shapes that do not fit are the caller's to change. */
  int exitCode() {
    return switch (error) {
      case ArgumentException _, DataException _, ShapeException _ -> ExitCode.BAD_ARGUMENTS;
      default -> ExitCode.FAILURE;
    };
  }
}
