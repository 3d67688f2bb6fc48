package dev.halfcell.amp.scale;

import dev.halfcell.tensor.ArgumentException;

/** What each class of MindSpore's names demands of its scale; rules demand less. */
final class AtLeastOne {
  private AtLeastOne() {}

  static void require(String option, double scale) {
    ArgumentException.require(
        scale >= 1 && Double.isFinite(scale), option, "a finite number of at least 1", scale);
  }
}
