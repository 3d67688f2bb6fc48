package dev.halfcell.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Prints what was to be reached and what was, and fails where it binds and was not. One thread. */
final class Goals {
  private final List<String> missed = new ArrayList<>();

  /** A figure that is to be at most so large; it binds in the full size. */
  void atMost(String goal, double limit, double figure, String unit) {
    tell(goal, "<=", limit, figure, unit, figure <= limit);
  }

  /** A figure that is to be at least so large; it binds in the full size. */
  void atLeast(String goal, double limit, double figure, String unit) {
    tell(goal, ">=", limit, figure, unit, figure >= limit);
  }

  /** What may never happen, in any size. */
  void never(String goal, long count, Object what) {
    boolean met = count == 0;
    print(goal, "0", count + (met ? "" : ": " + what), met);
    if (!met) {
      missed.add(goal + ": " + count + ": " + what);
    }
  }

  private void tell(
      String goal, String sign, double limit, double figure, String unit, boolean met) {
    print(goal, "%s %s %s".formatted(sign, text(limit), unit), text(figure) + " " + unit, met);
    if (!met && Size.chosen() == Size.FULL) {
      missed.add(goal + ": " + text(figure) + " " + unit);
    }
  }

  private static void print(String goal, String limit, String figure, boolean met) {
    System.out.printf(
        Locale.ROOT, "goal | %s | %s | %s | %s%n", goal, limit, figure, met ? "met" : "not met");
  }

  private static String text(double number) {
    return String.format(Locale.ROOT, number >= 100 ? "%.0f" : "%.3g", number);
  }

  /** Something to know beside the goals. */
  @SuppressWarnings("AnnotateFormatMethod") // that would be a dependency for one method of tests
  static void note(String text, Object... values) {
    System.out.println("note | " + String.format(Locale.ROOT, text, values));
  }

  /** Fails where one that binds was missed. */
  void check() {
    assertEquals(List.of(), missed);
  }
}
