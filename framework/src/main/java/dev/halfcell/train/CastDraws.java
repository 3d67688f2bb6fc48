package dev.halfcell.train;

import dev.halfcell.backend.Variable;
import dev.halfcell.backend.Variables;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.random.RandomKey;
import dev.halfcell.tensor.Tensor;
import java.util.HashMap;
import java.util.Map;

/**
 * What the casts of one description of a step draw their random numbers by: the run's seed, the
 * cell, how many casts that cell has drawn for before, and the number of each sample, or of the
 * step where there are none. One thread.
 */
public final class CastDraws {
  private final Variables state;
  private final Tensor samples;
  private final Map<CellPath, Integer> casts = new HashMap<>();

  /** Draws for a step on the samples of these numbers. */
  public CastDraws(Variables state, Tensor samples) {
    this.state = state;
    this.samples = samples;
  }

  /** The key of a cell's next cast: of no stream that the cell's random ops draw from. */
  public RandomKey key(CellPath at) {
    return new RandomKey(state.seed(), at.child("(cast)"), casts.merge(at, 1, Integer::sum) - 1);
  }

  /**
   * The sample numbers for what has as many rows as the batch has samples, else the number of the
   * applied steps.
   */
  public Tensor counters(Tensor x) {
    boolean rows = x.spec().rank() >= 1 && x.spec().dim(0) == samples.spec().dim(0);
    return rows ? samples : state.read(Variable.applied());
  }
}
