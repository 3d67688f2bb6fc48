package dev.halfcell.rest.worker;

import dev.halfcell.rest.job.StatusReason.Code;
import dev.halfcell.rest.worker.FromWorker.Failed;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DTypeException;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.HalfCellException;
import dev.halfcell.tensor.MemoryException;
import dev.halfcell.tensor.NonFiniteException;
import dev.halfcell.tensor.OutOfHeap;
import dev.halfcell.tensor.ShapeException;
import dev.halfcell.zoo.data.FashionMnist;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a job's owner is told of what its training threw, or a task on what it left.
 *
 * @param folder of the run: its path is the server's own business, and not told
 * @param data where the data is, likewise unless it is the embedded sample
 */
record Failures(Path folder, Optional<String> data) {
  private static final String DATA = "the data folder";

  /**
   * That of a training.
   *
   * @param restoring whether it was thrown while an earlier state was read
   * @param step the steps taken by then
   */
  Failed of(Throwable error, boolean restoring, long step) {
    Throwable thrown = OutOfHeap.orThrown(error);
    String type = type(thrown);
    boolean memory = type.equals("memory");
    boolean unusable = restoring && (type.equals("data") || type.equals("argument"));
    return new Failed(
        code(memory, unusable),
        unusable ? "data" : type,
        detail(thrown),
        cell(thrown),
        Optional.of(step),
        thrown instanceof OutOfMemoryError,
        memory || type.equals("internal") || thrown instanceof IOException);
  }

  private static Code code(boolean memory, boolean unusable) {
    if (memory) {
      return Code.OUT_OF_MEMORY;
    }
    return unusable ? Code.NO_USABLE_CHECKPOINT : Code.TRAINING_FAILED;
  }

  private String type(Throwable thrown) {
    return switch (thrown) {
      case ArgumentException wrong when namesTheData(wrong) -> "data";
      case ArgumentException _, DTypeException _ -> "argument";
      case ShapeException _ -> "shape";
      case DataException _, IOException _, UncheckedIOException _ -> "data";
      case MemoryException _, OutOfMemoryError _ -> "memory";
      case NonFiniteException _ -> "non-finite";
      default -> "internal";
    };
  }

  /** The folder of the data is an argument of the server's, and none of the job's. */
  private boolean namesTheData(HalfCellException wrong) {
    return data.filter(wrong.problem().where()::equals).isPresent();
  }

  private String detail(Throwable thrown) {
    String text =
        switch (thrown) {
          case HalfCellException known -> known.problem().message();
          case OutOfMemoryError error -> "too little memory: " + error.getMessage();
          default -> thrown.getClass().getSimpleName() + ": " + thrown.getMessage();
        };
    return shown(text);
  }

  /** Messages have a path as it was given, or without the slashes that say nothing. */
  private static String withoutFolder(String text, String place) {
    String bare = place.replaceAll("(?<=.)/+$", "");
    return text.replace(bare, DATA).replace(bare.replaceAll("/+", "/"), DATA);
  }

  private String shown(String text) {
    String own = text.replace(folder + "/", "").replace(folder.toString(), "the job's folder");
    String told =
        data.filter(place -> !place.equals(FashionMnist.EMBEDDED))
            .map(place -> withoutFolder(own, place))
            .orElse(own);
    return told.substring(0, Math.min(told.length(), Failed.LONGEST));
  }

  /** Problems of cells say where by a path of names, those of files by a file. */
  private Optional<String> cell(Throwable thrown) {
    return thrown instanceof HalfCellException known && !(thrown instanceof DataException)
        ? Optional.of(known.problem().where())
            .filter(_ -> !namesTheData(known))
            .filter(where -> where.startsWith("/") && !where.startsWith(folder.toString()))
            .map(where -> where.substring(0, Math.min(where.length(), Failed.LONGEST)))
        : Optional.empty();
  }
}
