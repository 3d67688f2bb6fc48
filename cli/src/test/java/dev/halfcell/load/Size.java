package dev.halfcell.load;

import java.time.Duration;

/**
 * How much is tried: {@code -Dhalfcell.load=full}, or a small share of it. Figures bind in the full
 * size alone, where nothing else may run on the machine; what must hold always is asserted in both.
 */
enum Size {
  SMALL,
  FULL;

  /** What the property says. */
  static Size chosen() {
    String said = System.getProperty("halfcell.load", "small");
    return switch (said) {
      case "small" -> SMALL;
      case "full" -> FULL;
      default ->
          throw new IllegalArgumentException(
              "-Dhalfcell.load: expected small or full, got '" + said + "'");
    };
  }

  /** One of two numbers. */
  static int of(int small, int full) {
    return chosen() == FULL ? full : small;
  }

  /** One of two times. */
  static Duration seconds(int small, int full) {
    return Duration.ofSeconds(of(small, full));
  }
}
