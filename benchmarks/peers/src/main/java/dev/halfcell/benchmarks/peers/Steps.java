package dev.halfcell.benchmarks.peers;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;

/**
 * Training steps taken one after the other: as HalfCell's side takes them.
 *
 * @param losses before each step
 * @param milliseconds that each step took
 */
record Steps(List<Double> losses, List<Double> milliseconds) {
  private static final int LEAST = 3;
  private static final double NANOSECONDS = 1e6;

  /** Takes {@code most} steps, or as many as begin within the seconds, but at least three. */
  static Steps run(DoubleSupplier step, int most, double seconds) {
    Steps taken = new Steps(new ArrayList<>(), new ArrayList<>());
    long start = System.nanoTime();
    for (int count = 0; count < most; count++) {
      long begin = System.nanoTime();
      if (count >= LEAST && begin - start > seconds * 1e9) {
        break;
      }
      taken.losses.add(step.getAsDouble());
      taken.milliseconds.add((System.nanoTime() - begin) / NANOSECONDS);
    }
    return taken;
  }
}
