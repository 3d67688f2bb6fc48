package dev.halfcell.rest.worker;

import java.util.OptionalLong;

/** The memory that a process holds, as Linux tells it. */
public final class ResidentBytes {
  private static final String RESIDENT = "VmRSS:";

  private ResidentBytes() {}

  /** What a text in the format of {@code /proc/self/status} says; none where it does not. */
  public static OptionalLong of(String status) {
    return status
        .lines()
        .filter(line -> line.startsWith(RESIDENT))
        .map(line -> line.replaceAll("\\D", ""))
        .filter(digits -> !digits.isEmpty())
        .mapToLong(digits -> Long.parseLong(digits) * 1024)
        .findFirst();
  }
}
