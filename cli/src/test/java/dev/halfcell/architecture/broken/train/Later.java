package dev.halfcell.architecture.broken.train;

import dev.halfcell.architecture.broken.tensor.Innocent;

/** Uses an earlier layer, as it may; an earlier layer that uses this one closes a circle. */
public record Later(Class<?> earlier) {
  /** Over the layer before. */
  public static Later overInnocent() {
    return new Later(Innocent.class);
  }
}
