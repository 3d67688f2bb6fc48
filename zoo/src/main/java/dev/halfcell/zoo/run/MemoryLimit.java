package dev.halfcell.zoo.run;

import dev.halfcell.zoo.host.Memory;
import java.util.Optional;

/**
 * How much memory a run may hold.
 *
 * @param whose whose limit it is, as users know it
 * @param advice what helps a run that needs more
 */
record MemoryLimit(long bytes, String whose, String advice) {
  /** What helps wherever memory is short. */
  static final String LESS =
      "Take a smaller batch, with accumulation for the same step, a smaller network or a level with"
          + " more half";

  /** What a specification says, or else what the machine has. */
  static MemoryLimit of(Optional<Long> said) {
    return said.map(MemoryLimit::ofRun)
        .orElseGet(() -> new MemoryLimit(Memory.total(), "the memory of this machine", LESS + "."));
  }

  private static MemoryLimit ofRun(long bytes) {
    return new MemoryLimit(
        bytes, "the limit of the run (resources.memoryLimit)", LESS + ", or a higher limit.");
  }
}
