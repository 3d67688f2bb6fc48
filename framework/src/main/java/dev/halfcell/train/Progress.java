package dev.halfcell.train;

import dev.halfcell.data.DataPosition;
import dev.halfcell.tensor.ArgumentException;

/**
 * Where a training stands between two steps, beside what is in its {@link TrainState}.
 *
 * @param step steps taken since training began
 * @param data where the next batch begins
 * @param totals what the steps of that epoch add up to until now
 */
public record Progress(long step, DataPosition data, EpochTotals totals) {
  public Progress {
    ArgumentException.require(step >= 0, "step", "at least 0", step);
  }
}
