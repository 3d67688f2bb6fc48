package dev.halfcell.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;

/**
 * Steps taken one after the other; training steps as the peers' side takes them.
 *
 * @param losses what each step gave: of a training step, the loss before it
 * @param milliseconds that each step took
 */
record Steps(List<Double> losses, List<Double> milliseconds) {
  /**
   * How many are taken however long they take: the second loss shows gradients and update, and of
   * three two are timed.
   */
  static final int LEAST = 3;

  private static final double NANOSECONDS = 1e6;

  /**
   * Takes as many as begin within the effort, but at least three. Its seconds begin behind those
   * three: on a GPU the first ones load and record what is run.
   */
  static Steps run(DoubleSupplier step, Effort effort) {
    Steps taken = new Steps(new ArrayList<>(), new ArrayList<>());
    long start = System.nanoTime();
    for (int count = 0; count < effort.steps(); count++) {
      long begin = System.nanoTime();
      if (count == LEAST) {
        start = begin;
      }
      if (count >= LEAST && begin - start >= effort.seconds() * 1e9) {
        break;
      }
      taken.losses.add(step.getAsDouble());
      taken.milliseconds.add((System.nanoTime() - begin) / NANOSECONDS);
    }
    return taken;
  }
}
