package dev.halfcell.train;

import dev.halfcell.backend.PlanOptions;

/** How steps are run. */
public sealed interface Execution {
  /** Compiled, as fast as the backend can. */
  static Execution planned() {
    return new Planned(PlanOptions.FULL);
  }

  /** Op by op, with each op's outputs checked: for debugging. */
  record Eager() implements Execution {}

  /** Compiled once for each input signature, then replayed. */
  record Planned(PlanOptions options) implements Execution {}
}
