package dev.halfcell.benchmarks;

/** A comparison cannot be made; the message says why. */
final class MeasurementException extends RuntimeException {
  MeasurementException(String message) {
    super(message);
  }
}
