package dev.halfcell.amp.precision;

import dev.halfcell.op.precision.CastOverflow;

/**
 * How a plan computes where it computes in half; it does not change which cell does. Each method
 * gives a changed copy.
 *
 * @param castOverflow what a cast to half makes of a number that is too large for it
 */
public record Numerics(CastOverflow castOverflow) {
  /** What is too large becomes an infinity. */
  public static Numerics defaults() {
    return new Numerics(CastOverflow.INF);
  }

  /** With casts that make this of what is too large. */
  public Numerics castOverflow(CastOverflow mode) {
    return new Numerics(mode);
  }
}
