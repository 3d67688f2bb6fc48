package dev.halfcell.cpu.kernel;

/**
 * Shares {@code total} things out among parts, in order, as evenly as multiples of a unit allow.
 */
record Split(int total, int unit, int parts) {
  /** At most {@code most} parts, none of them empty. */
  static Split of(int total, int unit, int most) {
    int units = Math.ceilDiv(total, unit);
    return new Split(total, unit, Math.max(1, Math.min(most, units)));
  }

  /** Where part {@code part} begins; it ends where the next one begins. */
  int from(int part) {
    long units = Math.ceilDiv(total, unit);
    return (int) Math.min(total, units * part / parts * unit);
  }

  int size(int part) {
    return from(part + 1) - from(part);
  }
}
