package dev.halfcell.zoo;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** How far two words are apart, and which of several is meant. */
public final class Spelling {
  private Spelling() {}

  /** The word that is nearest, unless half of its letters or more are others. */
  public static Optional<String> nearest(String word, Collection<String> known) {
    return known.stream()
        .min(Comparator.comparingInt(each -> distance(word, each)))
        .filter(near -> distance(word, near) <= near.length() / 2);
  }

  /**
   * How many letters have to be put in, taken out or replaced to make one word of the other, in
   * either case of letters.
   *
   * <p>Source: Wagner, Fischer, "The String-to-String Correction Problem", J. ACM 21 (1974).
   */
  static int distance(String first, String second) {
    String a = first.toLowerCase(Locale.ROOT);
    String b = second.toLowerCase(Locale.ROOT);
    int[] above = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      above[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] row = new int[b.length() + 1];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = above[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(replaced, 1 + Math.min(above[j], row[j - 1]));
      }
      above = row;
    }
    return above[b.length()];
  }
}
