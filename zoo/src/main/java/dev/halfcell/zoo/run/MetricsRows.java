package dev.halfcell.zoo.run;

import dev.halfcell.disk.Disk;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.train.StepResult;
import dev.halfcell.train.TrainEvent;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Reads the lines of a {@link MetricsFile} back, for a run that goes on. */
final class MetricsRows {
  private static final int LONGEST = Integer.MAX_VALUE - 8; // no array can be longer

  private MetricsRows() {}

  /**
   * The first bytes of the file.
   *
   * @throws DataException where it has fewer: a checkpoint is of a time when it had them; or where
   *     they are more than fit in memory
   */
  static byte[] bytes(Disk disk, Path file, long length) {
    if (length == 0) {
      return new byte[0];
    }
    try (Disk.Input in = disk.open(file)) {
      // The length is what a checkpoint says: no memory is taken for more than there is.
      if (length > in.size()) {
        throw refusal(file, "at least " + length + " bytes", in.size() + " bytes", null);
      }
      if (length > LONGEST) {
        throw refusal(file, "at most " + LONGEST + " bytes", length + " bytes", null);
      }
      byte[] bytes = new byte[(int) length];
      long read = in.read(0, MemorySegment.ofArray(bytes));
      if (read < length) {
        throw refusal(file, "at least " + length + " bytes", read + " bytes", null);
      }
      return bytes;
    } catch (IOException e) {
      throw refusal(file, "a file that can be read", e.toString(), e);
    }
  }

  /** The steps of these lines. How many samples each had is not in them: 0. */
  static List<TrainEvent.StepTaken> parse(byte[] lines, Path file) {
    List<TrainEvent.StepTaken> steps = new ArrayList<>();
    try (JsonParser in = new JsonFactory().createParser(ObjectReadContext.empty(), lines)) {
      while (in.nextToken() != null) {
        Map<String, Double> values = values(in);
        if (!ofEpoch(values)) {
          steps.add(step(values, file));
        }
      }
    } catch (JacksonException e) {
      throw refusal(file, "a JSON object on each line", e.getOriginalMessage(), e);
    }
    return steps;
  }

  /** Whether a line is not of a step but of what was measured when an epoch was over. */
  private static boolean ofEpoch(Map<String, Double> values) {
    return values.containsKey("epoch") && !values.containsKey("step");
  }

  /** Numbers as they are, null as NaN, true and false as 1 and 0. */
  private static Map<String, Double> values(JsonParser in) {
    Map<String, Double> values = new HashMap<>();
    while (in.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = in.currentName();
      JsonToken token = in.nextToken();
      switch (token) {
        case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> values.put(name, in.getDoubleValue());
        case VALUE_TRUE -> values.put(name, 1.0);
        case VALUE_FALSE -> values.put(name, 0.0);
        case VALUE_NULL -> values.put(name, Double.NaN);
        default -> in.skipChildren();
      }
    }
    return values;
  }

  private static TrainEvent.StepTaken step(Map<String, Double> values, Path file) {
    for (String name :
        List.of("step", "epoch", "loss", "scale", "overflow", "applied", "next_scale", "lr")) {
      if (!values.containsKey(name)) {
        throw refusal(file, "a number under " + name + " in each line", values.toString(), null);
      }
    }
    Row row = new Row(values);
    StepResult result =
        new StepResult(
            row.of("loss"),
            row.of("overflow") != 0,
            row.of("scale"),
            row.of("next_scale"),
            row.of("applied") != 0,
            Double.NaN);
    return new TrainEvent.StepTaken(
        (long) row.of("step"),
        (int) row.of("epoch"),
        0,
        result.tried((int) (double) values.getOrDefault("tries", 1.0)),
        row.of("lr"),
        row.of("step_ms"),
        row.of("data_wait_ms"));
  }

  private record Row(Map<String, Double> values) {
    double of(String name) {
      return values.getOrDefault(name, Double.NaN);
    }
  }

  private static DataException refusal(
      Path file, String expected, String got, @Nullable Exception cause) {
    Problem problem =
        new Problem("metrics", file.toString(), expected, got, "Resume an unchanged run.");
    return cause == null ? new DataException(problem) : new DataException(problem, cause);
  }
}
