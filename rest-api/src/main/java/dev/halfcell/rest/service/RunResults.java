package dev.halfcell.rest.service;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What runs are compared by.
 *
 * @param values by name; what is not known is left out
 */
public record RunResults(Map<String, Double> values) {
  private static final Map<String, String> KEYS = keys();
  private static final JsonMapper JSON = new JsonMapper();

  public RunResults {
    values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
  }

  /** Our names, with those of {@code summary.json}. */
  private static Map<String, String> keys() {
    Map<String, String> keys = new LinkedHashMap<>();
    keys.put("testAccuracy", "test_accuracy");
    keys.put("testLoss", "test_loss");
    keys.put("finalTrainLoss", "final_train_loss");
    keys.put("overflowSteps", "overflow_steps");
    keys.put("stepMilliseconds", "step_ms_median");
    keys.put("samplesPerSecond", "samples_per_second");
    keys.put("peakBytes", "peak_rss_bytes");
    return Collections.unmodifiableMap(keys);
  }

  /** Those of a run that has none. */
  public static RunResults none() {
    return new RunResults(Map.of());
  }

  /** Those of a summary; none where there is no such file. */
  public static RunResults read(Path summary) {
    JsonNode tree;
    try {
      tree = JSON.readTree(Files.readString(summary));
    } catch (NoSuchFileException _) {
      return none();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Map<String, Double> values = new LinkedHashMap<>();
    KEYS.forEach(
        (name, key) -> {
          if (tree.path(key).isNumber()) {
            values.put(name, tree.path(key).doubleValue());
          }
        });
    return new RunResults(values);
  }

  /** The mean of each value over those that have it. */
  public static RunResults mean(List<RunResults> all) {
    Map<String, Double> values = new LinkedHashMap<>();
    for (String name : KEYS.keySet()) {
      OptionalDouble mean =
          all.stream()
              .filter(each -> each.values().containsKey(name))
              .mapToDouble(each -> each.values().get(name))
              .average();
      mean.ifPresent(value -> values.put(name, value));
    }
    return new RunResults(values);
  }
}
