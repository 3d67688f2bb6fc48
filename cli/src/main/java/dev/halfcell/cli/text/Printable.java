package dev.halfcell.cli.text;

/** Texts that somebody else wrote, before they come to a terminal that might obey them. */
public final class Printable {
  private Printable() {}

  /** On one line, and with signs that are seen only. */
  public static String text(String text) {
    return text.strip().replaceAll("\\s*\\R\\s*", " ").replaceAll("[\\p{Cc}\\p{Cf}]", "?");
  }
}
