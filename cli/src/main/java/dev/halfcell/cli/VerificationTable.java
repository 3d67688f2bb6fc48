package dev.halfcell.cli;

import dev.halfcell.verify.GoldenFile;
import dev.halfcell.verify.Verification;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Rows of a verification, each printed as soon as it is known. */
record VerificationTable(PrintWriter out, int nameWidth) {
  /** A table with room for the names of these files. */
  static VerificationTable over(List<Path> files, PrintWriter out) {
    int widest =
        files.stream()
            .mapToInt(file -> String.valueOf(file.getFileName()).length())
            .max()
            .orElse(0);
    return new VerificationTable(out, widest - GoldenFile.SUFFIX.length());
  }

  void header() {
    line("file", "run", "worst error", "tolerance", "result");
  }

  void print(Verification row) {
    String result = word(row.status());
    line(
        row.file(),
        row.variant(),
        number(row.worstError()),
        number(row.tolerance()),
        row.status() == Verification.Status.PASSED ? result : result + ": " + row.detail());
  }

  private void line(String file, String run, String error, String tolerance, String result) {
    out.printf(
        Locale.ROOT,
        "%-" + nameWidth + "s  %-7s  %11s  %9s  %s%n",
        file,
        run,
        error,
        tolerance,
        result);
    out.flush();
  }

  private static String number(double value) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.2e", value);
  }

  private static String word(Verification.Status status) {
    return switch (status) {
      case PASSED -> "pass";
      case FAILED -> "FAIL";
      case NOT_COVERED -> "not covered";
      case DATA_MISSING -> "data missing";
    };
  }
}
