package dev.halfcell.backend;

/** The ranks that train together. A plan is compiled for its place among them. */
public interface Collective {
  /** This rank's number, from 0. */
  int rank();

  /** How many ranks there are. */
  int size();

  /** A rank of its own. */
  static Collective single() {
    return new Single();
  }

  /** The only rank there is. */
  record Single() implements Collective {
    @Override
    public int rank() {
      return 0;
    }

    @Override
    public int size() {
      return 1;
    }
  }
}
