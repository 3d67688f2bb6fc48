package dev.halfcell.rest.http;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whether the time of a refusal says how much of a token was right. */
@Tag("slow")
final class AuthTimingTest {
  private static final String RIGHT = "ann-0123456789abcdef-0123456789abcdef";
  private static final int COMPARISONS = 10_000;

  /** A clock of nanoseconds cannot tell one comparison from the next. */
  private static final int AT_ONCE = 20;

  @Test
  void aRightPrefixTakesAsLongAsAnyOtherGuess() {
    Tokens tokens = Tokens.parse("ann read " + RIGHT + "\nbob read bob-0123456789abcdef\n");
    String near = RIGHT.substring(0, RIGHT.length() - 1) + "x";
    String far = "x".repeat(RIGHT.length());
    double[] nears = new double[COMPARISONS];
    double[] fars = new double[COMPARISONS];
    for (int round = 0; round < 3; round++) { // what counts is the last, with all compiled
      for (int i = 0; i < COMPARISONS; i++) {
        boolean first = i % 2 == 0;
        double one = nanoseconds(tokens, first ? near : far);
        double other = nanoseconds(tokens, first ? far : near);
        nears[i] = first ? one : other;
        fars[i] = first ? other : one;
      }
    }
    double ratio = median(nears) / median(fars);
    System.out.printf(
        Locale.ROOT,
        "auth timing: median of a right prefix %.0f ns, of a wrong token %.0f ns, ratio %.4f%n",
        median(nears),
        median(fars),
        ratio);
    assertTrue(Math.abs(ratio - 1) < 0.05, () -> "ratio " + ratio);
  }

  private static double nanoseconds(Tokens tokens, String guess) {
    long began = System.nanoTime();
    boolean known = false;
    for (int i = 0; i < AT_ONCE; i++) {
      known |= tokens.caller(guess).isPresent();
    }
    double each = (System.nanoTime() - began) / (double) AT_ONCE;
    assertTrue(!known);
    return each;
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
