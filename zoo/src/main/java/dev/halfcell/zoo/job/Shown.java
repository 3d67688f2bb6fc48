package dev.halfcell.zoo.job;

import tools.jackson.databind.JsonNode;

/** What was found, as errors show it: short, on one line, without control characters. */
final class Shown {
  private static final int LONGEST_VALUE = 60;
  private static final int LONGEST_SENTENCE = 200;

  private Shown() {}

  static String value(JsonNode node) {
    if (node.isObject() || node.isArray()) {
      String kind = node.isObject() ? "an object" : "a list";
      return node.isEmpty() ? kind + " with nothing in it" : kind + ": " + text(node.toString());
    }
    return text(node.toString());
  }

  static String text(String text) {
    return cut(text, LONGEST_VALUE);
  }

  static String sentence(String text) {
    return cut(text, LONGEST_SENTENCE);
  }

  /** All of it; names of keys may hold what would break the line. */
  static String line(String text) {
    return cut(text, Integer.MAX_VALUE);
  }

  private static String cut(String text, int longest) {
    StringBuilder shown = new StringBuilder();
    text.codePoints()
        .limit(longest)
        .forEach(c -> shown.append(plain(c) ? Character.toString(c) : "\\u%04X".formatted(c)));
    return shown + (text.codePointCount(0, text.length()) > longest ? "..." : "");
  }

  /** Whether it is a character that changes nothing but its own place. */
  private static boolean plain(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
