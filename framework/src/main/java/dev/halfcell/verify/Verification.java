package dev.halfcell.verify;

/**
 * One row of a report on golden vectors.
 *
 * @param file the name of the file
 * @param variant which of several runs on the file; empty where there is one
 * @param worstError the error that is largest by what is allowed; NaN where nothing was computed or
 *     what was is no number
 * @param tolerance what was allowed there; NaN where nothing was computed
 * @param status how it went
 * @param detail where the error lies, what is not covered, or how to get what is missing
 */
public record Verification(
    String file,
    String variant,
    double worstError,
    double tolerance,
    Status status,
    String detail) {
  /** How it went. Only the first counts as passed. */
  public enum Status {
    /** Computed, and near enough everywhere. */
    PASSED,
    /** Computed and not near enough, or the file is not what it should be. */
    FAILED,
    /** Something that cannot be computed yet. */
    NOT_COVERED,
    /** The data that it is computed on is not on this machine. */
    DATA_MISSING
  }

  /** A row for something that cannot be computed yet. */
  public static Verification notCovered(GoldenFile file, String what) {
    return without(file.name(), Status.NOT_COVERED, what);
  }

  /** A row for something whose data is not here. */
  public static Verification dataMissing(GoldenFile file, String howToGetIt) {
    return without(file.name(), Status.DATA_MISSING, howToGetIt);
  }

  /** A row for something that could not be computed though it should. */
  public static Verification failed(String file, String why) {
    return without(file, Status.FAILED, why);
  }

  private static Verification without(String file, Status status, String detail) {
    return new Verification(file, "", Double.NaN, Double.NaN, status, detail);
  }

  /** A row for a file of which this was the worst. */
  static Verification of(GoldenFile file, Deviation worst) {
    Status status = worst.allowed() ? Status.PASSED : Status.FAILED;
    return new Verification(
        file.name(), "", worst.error(), worst.tolerance(), status, worst.where());
  }
}
