package dev.halfcell.plan;

import dev.halfcell.tensor.ArgumentException;

/**
 * A piece of memory that is needed for a while.
 *
 * @param from the place of the first task that needs it
 * @param to the place of the last one
 * @param bytes its size
 */
public record Lifetime(int from, int to, long bytes) {
  public Lifetime {
    ArgumentException.require(
        from <= to && bytes >= 0,
        "lifetime",
        "an end not before its start, and a size of at least 0",
        from + " to " + to + ", " + bytes + " bytes");
  }

  /** Whether both are needed at some task. */
  public boolean meets(Lifetime other) {
    return from <= other.to && other.from <= to;
  }
}
