package dev.halfcell.op.precision;

/** No scaling: 1 for ever. Steps that are not finite are still refused. */
public record NoScale() implements LossScale {
  @Override
  public boolean moves() {
    return false;
  }

  @Override
  public State start() {
    return new State(1, 0);
  }

  @Override
  public State next(State now, Verdict verdict) {
    return now;
  }
}
