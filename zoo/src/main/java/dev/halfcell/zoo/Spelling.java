package dev.halfcell.zoo;

import java.util.Locale;

/** How far two words are apart. */
final class Spelling {
  private Spelling() {}

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
