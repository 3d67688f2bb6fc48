package dev.halfcell.zoo.run;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * What a run was started with, as {@code run.json} holds it: what is needed to build its train cell
 * again.
 *
 * @param arguments the arguments of {@code train}
 * @param samples how many samples the run trained on in an epoch
 */
public record RunArguments(List<String> arguments, int samples) {
  public RunArguments {
    arguments = List.copyOf(arguments);
  }

  String json() {
    return JsonText.indented(
        to -> {
          to.writeArrayPropertyStart("arguments");
          arguments.forEach(to::writeString);
          to.writeEndArray();
          to.writeNumberProperty("samples", samples);
        });
  }

  /** Reads a file that {@link #json} was written to. */
  static RunArguments read(Path file) {
    try {
      return parsed(Files.readString(file), file);
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

  private static RunArguments parsed(String text, Path file) {
    List<String> arguments = new ArrayList<>();
    int samples = 0;
    try (JsonParser in = new JsonFactory().createParser(ObjectReadContext.empty(), text)) {
      while (in.nextToken() != null) {
        if (in.currentToken() == JsonToken.VALUE_STRING) {
          arguments.add(in.getString());
        } else if (in.currentToken() == JsonToken.VALUE_NUMBER_INT) {
          samples = in.getIntValue();
        }
      }
    }
    if (arguments.isEmpty() || samples < 1) {
      throw other(file, text.strip(), new IllegalArgumentException(text));
    }
    return new RunArguments(arguments, samples);
  }

  private static DataException other(Path file, String got, Exception cause) {
    return new DataException(
        new Problem("RUN", file.toString(), "the arguments of a run", got, "Name another folder."),
        cause);
  }
}
