package dev.halfcell.zoo.run;

import dev.halfcell.disk.Disk;
import dev.halfcell.tensor.DataException;
import dev.halfcell.train.StepResult;
import dev.halfcell.train.TrainEvent;
import java.io.BufferedInputStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Reads the lines of a {@link MetricsFile} back, for a run that goes on, and keeps none. */
final class MetricsRows {
  private static final JsonFactory JSON = new JsonFactory();
  private static final int BLOCK = 1 << 16;

  private MetricsRows() {}

  /**
   * Tells of each step in the first bytes of a file. How many samples it had is not in its line: 0.
   *
   * @param length of these bytes, at the end of a line
   * @throws DataException where the file has fewer or cannot be read; and at the first line that is
   *     none of a run, when those before it have been told of
   */
  static void read(Disk disk, Path file, long length, Consumer<TrainEvent.StepTaken> told) {
    try (MetricsBytes bytes = MetricsBytes.open(disk, file, length);
        JsonParser in =
            JSON.createParser(ObjectReadContext.empty(), new BufferedInputStream(bytes, BLOCK))) {
      while (in.nextToken() != null) {
        Map<String, Double> values = values(in);
        if (!ofEpoch(values)) {
          told.accept(step(values, file));
        }
      }
    } catch (JacksonException e) {
      throw MetricsBytes.refusal(file, "a JSON object on each line", e.getOriginalMessage(), e);
    }
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
        throw MetricsBytes.refusal(
            file, "a number under " + name + " in each line", values.toString(), null);
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
}
