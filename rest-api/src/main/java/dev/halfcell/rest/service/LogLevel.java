package dev.halfcell.rest.service;

import java.util.Locale;

/** How much a line of a log matters, the most first. */
public enum LogLevel {
  /** Something failed. */
  ERROR,
  /** Something is not as it should be. */
  WARNING,
  /** Something happened. */
  INFO,
  /** What only those want who look for a mistake. */
  DEBUG;

  /** Its name in requests and answers. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** That of a name that a request was checked for. */
  public static LogLevel named(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT));
  }

  /** Whether it matters as much as another, or more. */
  public boolean atLeast(LogLevel other) {
    return compareTo(other) <= 0;
  }
}
