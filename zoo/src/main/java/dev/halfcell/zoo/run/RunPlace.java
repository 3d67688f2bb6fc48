package dev.halfcell.zoo.run;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.zoo.data.DataSplit;
import dev.halfcell.zoo.data.FashionMnist;
import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a run found where it was started, as {@code run.json} holds it: no matter of its
 * specification, and needed to build its train cell and to read its data again.
 *
 * @param data where its data was found, as {@link DataSplit#place} says it; none where it was made.
 *     In files of before it is what was asked for, none where nothing was
 * @param searched whether that was the first place where it was found, for nobody had named one
 * @param samples how many samples it trained on in an epoch
 */
public record RunPlace(Optional<String> data, boolean searched, int samples) {
  private static final String DATA = "data";
  private static final String SEARCHED = "searched";
  private static final String SAMPLES = "samples";
  private static final String GONE =
      "the run's data is no longer where it was found: it is searched for, as for a new run";

  /** One whose data lies where somebody had named it, or was made. */
  public RunPlace(Optional<String> data, int samples) {
    this(data, false, samples);
  }

  /** That of a run which has opened its data by this choice. */
  static RunPlace of(Optional<String> choice, DataSplit data) {
    boolean searched = choice.isEmpty() && data.place().isPresent();
    return new RunPlace(data.place(), searched, data.train().size());
  }

  /**
   * Where its data is to be read again, as {@link dev.halfcell.zoo.data.DataSetDefinition#open}
   * takes it: where the run found it, so that what was installed since is not taken for it. None,
   * so that it is searched for, where that is gone: it was moved, or the run was copied to another
   * machine. A place that somebody had named is never a reason to look on.
   */
  public Optional<String> choice() {
    return data.filter(_ -> !isGone());
  }

  /** What is to be said where its data is searched for again; it names no path. */
  public Optional<String> notice() {
    return isGone() ? Optional.of(GONE) : Optional.empty();
  }

  private boolean isGone() {
    return searched && data.filter(place -> !isThere(place)).isPresent();
  }

  /** A file of somebody else's may say anything: what no path can be is no folder. */
  private static boolean isThere(String place) {
    return place.equals(FashionMnist.EMBEDDED) || new File(place).isDirectory();
  }

  String json() {
    return JsonText.indented(
        to -> {
          data.ifPresent(place -> to.writeStringProperty(DATA, place));
          if (searched) {
            to.writeBooleanProperty(SEARCHED, true);
          }
          to.writeNumberProperty(SAMPLES, samples);
        });
  }

  /** Reads a file that {@link #json} was written to. */
  public static RunPlace read(Path file) {
    try {
      if (Files.exists(file) && !Files.isRegularFile(file)) {
        throw new FileSystemException(file.toString(), null, "not a regular file");
      }
      JsonNode tree = new JsonMapper().readTree(Files.readString(file));
      int samples = tree.path(SAMPLES).asInt(0);
      if (samples < 1) {
        throw other(file, tree.toString(), new IllegalArgumentException(SAMPLES));
      }
      boolean searched = tree.path(SEARCHED).asBoolean(false);
      return new RunPlace(tree.path(DATA).asStringOpt(), searched, samples);
    } catch (NoSuchFileException e) {
      throw new ArgumentException(
          new Problem(
              "RUN",
              file.toString(),
              "a folder that `halfcell train` has written, with run.json",
              "none of that name",
              "Name the folder that was given to --out."));
    } catch (IOException | JacksonException e) {
      throw other(file, String.valueOf(e.getMessage()), e);
    }
  }

  private static DataException other(Path file, String got, Exception cause) {
    return new DataException(
        new Problem("RUN", file.toString(), "what a run found", got, "Name another folder."),
        cause);
  }
}
