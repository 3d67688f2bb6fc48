package dev.halfcell.zoo;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Problem;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What is said of a schedule behind its name.
 *
 * @param name the schedule's
 * @param values by key, in the order of the text
 */
record ScheduleTerms(String name, Map<String, String> values) {
  /** Reads {@code KEY=VALUE,KEY=VALUE}. */
  static ScheduleTerms of(String name, String text) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String term : text.isEmpty() ? new String[0] : text.split(",", -1)) {
      String[] sides = term.split("=", 2);
      if (sides.length < 2) {
        throw wrong("schedule " + name, "KEY=VALUE", term);
      }
      if (values.put(sides[0], sides[1]) != null) {
        throw wrong("schedule " + name, "each key once", sides[0]);
      }
    }
    return new ScheduleTerms(name, Collections.unmodifiableMap(values));
  }

  /** Throws where something else is said. */
  void requireKnown(List<String> known) {
    for (String key : values.keySet()) {
      if (!known.contains(key)) {
        throw wrong(
            "schedule " + name,
            known.isEmpty() ? "nothing behind the name" : "keys " + String.join(", ", known),
            key);
      }
    }
  }

  /** All terms as lengths in a run of {@code steps} steps and numbers; there has to be one. */
  Map<Long, Double> lengths(int steps) {
    String subject = "schedule " + name;
    if (values.isEmpty()) {
      throw wrong(subject, "at least one LENGTH=FACTOR, such as 50%=0.1", "");
    }
    Map<Long, Double> lengths = new LinkedHashMap<>();
    values.forEach(
        (length, number) ->
            lengths.put((long) length(subject, length, steps), number(subject, number)));
    return lengths;
  }

  /** A finite number, or {@code otherwise} where nothing is said. */
  double number(String key, double otherwise) {
    return values.containsKey(key) ? number(subject(key), values.get(key)) : otherwise;
  }

  private static double number(String subject, String text) {
    try {
      double value = Double.parseDouble(text);
      if (Double.isFinite(value)) {
        return value;
      }
      throw wrong(subject, "a finite number", text);
    } catch (NumberFormatException e) {
      throw wrong(subject, "a finite number", text);
    }
  }

  /** A whole number of at least 0, or {@code otherwise} where nothing is said. */
  int whole(String key, int otherwise) {
    return values.containsKey(key) ? whole(subject(key), values.get(key), 0) : otherwise;
  }

  private static int whole(String subject, String text, int least) {
    String expected = "a whole number from " + least + " to " + Integer.MAX_VALUE;
    try {
      int value = Integer.parseInt(text);
      if (value >= least) {
        return value;
      }
      throw wrong(subject, expected, text);
    } catch (NumberFormatException e) {
      throw wrong(subject, expected, text);
    }
  }

  /** A length that has to be said, in a run of {@code steps} steps. */
  int length(String key, int steps) {
    if (!values.containsKey(key)) {
      throw wrong("schedule " + name, key + "=LENGTH, such as " + key + "=30%", "");
    }
    return length(subject(key), values.get(key), steps);
  }

  /** Steps as they are, or a share of the run's, at least one. */
  static int length(String subject, String text, int steps) {
    if (!text.endsWith("%")) {
      return whole(subject, text, 1);
    }
    double share = number(subject, text.substring(0, text.length() - 1));
    ArgumentException.require(
        share > 0 && share <= 100, subject, "steps, or above 0% to 100% of the run", text);
    return (int) Math.max(1, Math.round(share / 100 * steps));
  }

  private String subject(String key) {
    return "schedule " + name + ", " + key;
  }

  private static ArgumentException wrong(String subject, String expected, String got) {
    return new ArgumentException(new Problem(subject, "", expected, "'" + got + "'", ""));
  }
}
