package dev.halfcell.verify;

import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The settings of an optimizer as a file writes them: {@code lr=0.1 betas=0.9/0.999 decoupled}. */
final class OptimizerSettings {
  private final GoldenFile file;
  private final Map<String, String> settings;

  OptimizerSettings(GoldenFile file) {
    this.file = file;
    this.settings =
        Arrays.stream(file.required("note").strip().split("\\s+"))
            .map(setting -> setting.split("=", 2))
            .collect(
                Collectors.toMap(
                    parts -> parts[0], parts -> parts.length == 1 ? "true" : parts[1]));
  }

  /** Whether there are no settings but these. */
  boolean only(String... known) {
    return Set.of(known).containsAll(settings.keySet());
  }

  boolean names(String setting) {
    return settings.containsKey(setting);
  }

  boolean flag(String setting) {
    return "true".equals(settings.get(setting));
  }

  double number(String setting) {
    return number(setting, 0);
  }

  /** One of several numbers with strokes between them. */
  double number(String setting, int index) {
    List<String> numbers = List.of(settings.getOrDefault(setting, "").split("/"));
    try {
      return Double.parseDouble(index < numbers.size() ? numbers.get(index) : "");
    } catch (NumberFormatException e) {
      throw new DataException(
          new Problem(
              "golden vectors",
              file.name(),
              "a number as " + setting + " in the note",
              file.required("note"),
              "Get the files anew."),
          e);
    }
  }
}
