package dev.halfcell.rest.http;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Chooses the form of an answer by {@code Accept}. */
final class Negotiation {
  private static final int LONGEST = 1024;

  private Negotiation() {}

  /** The best of what there is; the first of it where nothing is asked for. */
  static Optional<String> choose(Optional<String> accept, List<String> there) {
    if (accept.isEmpty() || accept.get().isBlank()) {
      return there.stream().findFirst();
    }
    if (accept.get().length() > LONGEST) {
      return Optional.empty();
    }
    String best = "";
    double bestQuality = 0;
    for (String type : there) {
      double quality = quality(accept.get(), type);
      if (quality > bestQuality) {
        best = type;
        bestQuality = quality;
      }
    }
    return best.isEmpty() ? Optional.empty() : Optional.of(best);
  }

  /** The quality of the most specific range that a type is in. */
  private static double quality(String accept, String type) {
    double quality = 0;
    int specific = -1;
    for (String range : accept.split(",", -1)) {
      String[] parts = range.strip().toLowerCase(Locale.ROOT).split("\\s*;\\s*", -1);
      int fits = fits(parts[0], type);
      if (fits > specific) {
        specific = fits;
        quality = said(parts);
      }
    }
    return quality;
  }

  private static int fits(String range, String type) {
    if (range.equals(type)) {
      return 2;
    }
    if (range.equals(type.substring(0, type.indexOf('/')) + "/*")) {
      return 1;
    }
    return range.equals("*/*") ? 0 : -1;
  }

  private static double said(String[] parts) {
    for (int i = 1; i < parts.length; i++) {
      if (parts[i].startsWith("q=")) {
        return parts[i].matches("q=(0(\\.[0-9]{0,3})?|1(\\.0{0,3})?)")
            ? Double.parseDouble(parts[i].substring(2))
            : 0;
      }
    }
    return 1;
  }
}
