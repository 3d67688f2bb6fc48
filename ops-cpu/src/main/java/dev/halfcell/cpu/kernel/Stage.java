package dev.halfcell.cpu.kernel;

import java.util.Optional;
import java.util.function.IntConsumer;

/**
 * Work in parts that may run at the same time, each on one thread. A stage begins when all parts of
 * the one before have ended. How many parts there are does not depend on who runs them, so that
 * results do not either.
 *
 * @param parts how many
 * @param body does one part, by its number from 0
 * @param early whether it may run before what stands before it in its kernel, for it reads nothing
 *     but what its kernel is given beside samples, as weights
 * @param loop the same work some samples at a time, where it can be done so
 */
public record Stage(int parts, IntConsumer body, boolean early, Optional<SampleLoop> loop) {
  /** One that has its place, and goes through all at once. */
  public Stage(int parts, IntConsumer body) {
    this(parts, body, false, Optional.empty());
  }
}
