package dev.halfcell.train;

import dev.halfcell.backend.PlanOptions;
import dev.halfcell.train.diagnosis.Trap;
import java.util.Set;

/** How steps are run. */
public sealed interface Execution {
  /** Compiled, as fast as the backend can. */
  static Execution planned() {
    return new Planned(PlanOptions.FULL);
  }

  /**
   * Op by op, with each op's outputs checked: for debugging.
   *
   * @param traps the floating-point exceptions that end the training where an op raises one
   */
  record Eager(Set<Trap> traps) implements Execution {
    public Eager {
      traps = Set.copyOf(traps);
    }

    /** Without traps. */
    public Eager() {
      this(Set.of());
    }
  }

  /** Compiled once for each input signature, then replayed. */
  record Planned(PlanOptions options) implements Execution {}
}
