package dev.halfcell.zoo.job;

import dev.halfcell.amp.precision.Level;
import dev.halfcell.tensor.DType;
import dev.halfcell.zoo.host.ByteCount;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** The values that a key holds if it holds neither keys nor a list, and how JSON writes them. */
final class Values {
  private Values() {}

  /** Whether values of this type are text, numbers or truths. */
  static boolean scalar(Class<?> type) {
    return !type.isRecord() && !type.isSealed();
  }

  /** The value; none where the node holds none such. */
  static Optional<?> read(Class<?> type, Bounds key, JsonNode node) {
    if (type == Boolean.class || type == boolean.class) {
      return node.isBoolean() ? Optional.of(node.booleanValue()) : Optional.empty();
    }
    if (type == Integer.class || type == int.class) {
      return node.canConvertToInt() && within(key, node)
          ? Optional.of(node.intValue())
          : Optional.empty();
    }
    if (key.bytes() && node.isString()) {
      return ByteCount.of(node.stringValue()).stream().boxed().findFirst();
    }
    if (type == Long.class || type == long.class) {
      return node.canConvertToLong() && within(key, node)
          ? Optional.of(node.longValue())
          : Optional.empty();
    }
    if (type == Double.class || type == double.class) {
      return node.isNumber() && inRange(key, node.doubleValue())
          ? Optional.of(node.doubleValue())
          : Optional.empty();
    }
    return node.isString() ? word(type, key, node.stringValue()) : Optional.empty();
  }

  /** A number with a point is none of a count, whatever stands behind the point. */
  private static boolean within(Bounds key, JsonNode node) {
    return node.isIntegralNumber() && inRange(key, node.doubleValue());
  }

  private static boolean inRange(Bounds key, double value) {
    boolean fp32 = (float) value > 0 && Float.isFinite((float) value);
    return Double.isFinite(value)
        && value >= key.least()
        && value <= key.most()
        && (fp32 || !key.positive());
  }

  private static Optional<?> word(Class<?> type, Bounds key, String text) {
    if (type == String.class) {
      boolean known = key.words().isEmpty() || key.words().contains(text);
      int length = text.codePointCount(0, text.length());
      return known && length >= key.least() && length <= key.most()
          ? Optional.of(text)
          : Optional.empty();
    }
    return Arrays.stream(type.getEnumConstants())
        .filter(constant -> words(type, key).contains(text) && label(constant).equals(text))
        .findFirst();
  }

  /** How a value is written. */
  static String label(Object constant) {
    return switch (constant) {
      case Level level -> level.label();
      case DType dtype -> dtype.label();
      case Enum<?> other -> other.name().toLowerCase(Locale.ROOT);
      default -> throw new IllegalArgumentException(constant.toString());
    };
  }

  /** The words that a text or a constant may be; none where any text may stand. */
  static List<String> words(Class<?> type, Bounds key) {
    if (!key.words().isEmpty() || !type.isEnum()) {
      return key.words();
    }
    return Arrays.stream(type.getEnumConstants()).map(Values::label).toList();
  }

  /** What a key wants, in words. */
  static String expected(Class<?> type, Bounds key) {
    if (key.bytes()) {
      return ByteCount.EXPECTED;
    }
    if (type == Boolean.class || type == boolean.class) {
      return "true or false";
    }
    if (type == Integer.class || type == int.class) {
      return "a whole number" + range(key, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }
    if (type == Long.class || type == long.class) {
      return "a whole number" + range(key, Long.MIN_VALUE, Long.MAX_VALUE);
    }
    if (type == Double.class || type == double.class) {
      return key.positive() ? "a finite number above 0" : "a finite number" + range(key);
    }
    if (type.isRecord()) {
      return "an object";
    }
    List<String> words = words(type, key);
    return words.isEmpty() ? "a text" + count(key, "characters") : "one of " + list(words);
  }

  private static String list(List<String> words) {
    return String.join(", ", words);
  }

  private static String range(Bounds key, long least, long most) {
    long from = Double.isInfinite(key.least()) ? least : (long) key.least();
    long to = Double.isInfinite(key.most()) ? most : (long) key.most();
    return " from " + from + " to " + to;
  }

  private static String range(Bounds key) {
    String from = Double.isInfinite(key.least()) ? "" : " from " + key.least();
    String to = Double.isInfinite(key.most()) ? "" : " to " + key.most();
    return from + to;
  }

  /** How many entries or characters there may be. */
  static String count(Bounds key, String of) {
    if (Double.isInfinite(key.most())) {
      return "";
    }
    return " of %d to %d %s".formatted((long) Math.max(0, key.least()), (long) key.most(), of);
  }
}
