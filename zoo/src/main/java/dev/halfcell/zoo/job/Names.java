package dev.halfcell.zoo.job;

import java.text.Normalizer;

/** Names and labels are text that other programs show: one line, of bounded length. */
final class Names {
  private static final int LONGEST_LABEL = 128;
  private static final int LONGEST_KEY = 64;

  private Names() {}

  /** The same text, composed: two spellings of one letter are one. */
  static String normal(String name) {
    return Normalizer.normalize(name, Normalizer.Form.NFC);
  }

  static void check(JobSpecification of, Mistakes mistakes) {
    of.name().ifPresent(name -> checkName(name, mistakes));
    of.labels()
        .forEach(
            (key, value) -> {
              String at = Pointer.child("/labels", key);
              check(at, "a key", key, mistakes);
              lengths(at, key, value, mistakes);
              if (!plain(value)) {
                mistakes.add(at, "text without control characters", shown(value), "");
              }
            });
  }

  /** What is short as it is written may be longer when it is composed. */
  private static void checkName(String name, Mistakes mistakes) {
    check("/name", "a name", name, mistakes);
    if (length(name) > LONGEST_LABEL) {
      mistakes.add("/name", "at most " + LONGEST_LABEL + " characters", "" + length(name), "");
    }
  }

  private static void check(String at, String what, String text, Mistakes mistakes) {
    if (text.isBlank() || !plain(text)) {
      mistakes.add(at, what + " that is not blank, without control characters", shown(text), "");
    }
  }

  private static void lengths(String at, String key, String value, Mistakes mistakes) {
    if (length(key) > LONGEST_KEY) {
      mistakes.add(at, "a key of at most " + LONGEST_KEY + " characters", "" + length(key), "");
    }
    if (length(value) > LONGEST_LABEL) {
      mistakes.add(at, "at most " + LONGEST_LABEL + " characters", "" + length(value), "");
    }
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }

  private static boolean plain(String text) {
    return text.codePoints()
        .noneMatch(
            c ->
                Character.isISOControl(c)
                    || Character.getType(c) == Character.LINE_SEPARATOR
                    || Character.getType(c) == Character.PARAGRAPH_SEPARATOR);
  }

  private static String shown(String text) {
    return "'" + Shown.text(text) + "'";
  }
}
