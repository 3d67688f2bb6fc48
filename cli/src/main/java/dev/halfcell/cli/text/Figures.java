package dev.halfcell.cli.text;

import java.util.Locale;

/** Numbers as people read them. */
public final class Figures {
  private static final long UNIT = 1024;
  private static final long MINUTE = 60;
  private static final long HOUR = 3600;

  private Figures() {}

  /** A size in the binary unit that leaves at least 1 before the point: {@code 2.3 MiB}. */
  public static String bytes(long bytes) {
    if (bytes < UNIT) {
      return bytes + " B";
    }
    double value = bytes;
    String unit = "B";
    for (String next : new String[] {"KiB", "MiB", "GiB", "TiB"}) {
      if (value < UNIT) {
        break;
      }
      value /= UNIT;
      unit = next;
    }
    return fixed(value, 1) + " " + unit;
  }

  /** With this many digits after the point. */
  public static String fixed(double value, int digits) {
    return String.format(Locale.ROOT, "%." + digits + "f", value);
  }

  /** A count with commas between thousands. */
  public static String count(double value) {
    return String.format(Locale.ROOT, "%,.0f", value);
  }

  /** A share as a percentage: {@code 84.35 %}. */
  public static String percent(double share) {
    return fixed(share * 100, 2) + " %";
  }

  /** A time in its two largest units: {@code 2 min 5 s}. */
  public static String duration(double seconds) {
    if (seconds < MINUTE) {
      return fixed(seconds, 1) + " s";
    }
    long whole = Math.round(seconds);
    return whole < HOUR
        ? whole / MINUTE + " min " + whole % MINUTE + " s"
        : whole / HOUR + " h " + whole % HOUR / MINUTE + " min";
  }

  /** A number without a needless point: {@code 65536}, {@code 0.5}. */
  public static String plain(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? String.valueOf((long) value)
        : String.valueOf(value);
  }
}
