package dev.halfcell.tensor;

/**
 * What an error says, as data.
 *
 * @param subject the op or option that cannot be used as asked
 * @param where the path of the cell, the file or the key; empty where there is none
 * @param expected what would have been right
 * @param got what was found
 * @param fix what to do about it; empty where it is plain
 */
public record Problem(String subject, String where, String expected, String got, String fix) {
  /**
   * One line: {@code [Conv2d] at /conv1: expected 1 input channel, got 3. Check the previous cell.}
   */
  public String message() {
    return "["
        + subject
        + "]"
        + (where.isEmpty() ? "" : " at " + where)
        + ": expected "
        + expected
        + ", got "
        + got
        + "."
        + (fix.isEmpty() ? "" : " " + fix);
  }
}
