package dev.halfcell.amp.config;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Problem;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The keys of a part of a configuration, as a reader of JSON or YAML gives them: numbers, words and
 * maps of the same. What is asked for has to have the right kind; nothing is taken for another
 * kind.
 *
 * @param system whose configuration it is, for errors
 * @param where the part's key; nothing of the whole
 */
record Keys(String system, String where, Map<String, ?> values) {
  /** Throws where there is a key that is not known. */
  Keys only(List<String> known) {
    for (String key : new TreeSet<>(values.keySet())) {
      if (!known.contains(key)) {
        throw problem(key, "one of " + known, "an unknown key", "Leave it out, or correct it.");
      }
    }
    return this;
  }

  boolean has(String key) {
    return values.containsKey(key);
  }

  /** A word. */
  Optional<String> word(String key) {
    return value(key)
        .map(
            value -> {
              if (value instanceof String word) {
                return word;
              }
              throw problem(key, "a word in quotes", described(value), "Quote it.");
            });
  }

  /** A number: whole ones are numbers too. */
  Optional<Double> number(String key) {
    return value(key)
        .map(
            value -> {
              if (value instanceof Number number && Double.isFinite(number.doubleValue())) {
                return number.doubleValue();
              }
              throw problem(key, "a finite number", described(value), "Write it without quotes.");
            });
  }

  /** A whole number. */
  Optional<Integer> whole(String key) {
    return number(key)
        .map(
            number -> {
              if (number.intValue() == number) {
                return number.intValue();
              }
              throw problem(key, "a whole number", String.valueOf(number), "");
            });
  }

  /** The keys of a part; none where it is not there. */
  Keys part(String key) {
    Object part = value(key).orElse(Map.of());
    if (part instanceof Map<?, ?> map) {
      Map<String, Object> inner = new java.util.LinkedHashMap<>();
      map.forEach((name, value) -> inner.put(String.valueOf(name), value));
      return new Keys(system, key(key), inner);
    }
    throw problem(key, "a map of keys", described(part), "");
  }

  private Optional<Object> value(String key) {
    if (has(key) && values.get(key) == null) {
      throw problem(key, "a value", "none", "Leave the key out where nothing is to be said.");
    }
    return Optional.ofNullable(values.get(key));
  }

  private static String described(Object value) {
    return value instanceof String ? "'" + value + "'" : String.valueOf(value);
  }

  private String key(String key) {
    return where.isEmpty() ? key : where + "." + key;
  }

  ArgumentException problem(String key, String expected, String got, String fix) {
    return new ArgumentException(
        new Problem(system + " configuration", key(key), expected, got, fix));
  }
}
