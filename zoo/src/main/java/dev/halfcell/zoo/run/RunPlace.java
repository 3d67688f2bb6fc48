package dev.halfcell.zoo.run;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
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
 * specification, and needed to build its train cell again.
 *
 * @param data where its data was asked for; none means the first place where it was found
 * @param samples how many samples it trained on in an epoch
 */
public record RunPlace(Optional<String> data, int samples) {
  private static final String DATA = "data";
  private static final String SAMPLES = "samples";

  String json() {
    return JsonText.indented(
        to -> {
          data.ifPresent(place -> to.writeStringProperty(DATA, place));
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
      return new RunPlace(tree.path(DATA).asStringOpt(), samples);
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
