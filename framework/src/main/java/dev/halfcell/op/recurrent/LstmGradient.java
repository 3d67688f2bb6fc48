package dev.halfcell.op.recurrent;

import java.util.List;

/**
 * (dy, dhN, dcN, gates, states, and the inputs of {@link Lstm}) → the gradients of those inputs but
 * lengths: back-propagation through time. From a sample's last step to its first, with dh and dc
 * starting at dhN and dcN, and t = tanh(c'):
 *
 * <pre>{@code
 * dh += dy            dc += dh · o · (1 − t²)
 * da = [dc · g · i(1 − i), dc · c · f(1 − f), dc · i · (1 − g²), dh · t · o(1 − o)]
 * dh = weightHᵀ · da  dc = dc · f
 * }</pre>
 *
 * and dx = weightXᵀ · da, dweightX = Σ da · xᵀ, dweightH = Σ da · hᵀ, both dbiases = Σ da, where h
 * and c are the states before the step; h is computed again from gates and states. Where x is half,
 * da and h are rounded to its dtype; dh, dc and all sums are FP32.
 *
 * @param wide for each leading input whether its gradient leaves unrounded, in FP32
 */
public record LstmGradient(Pass pass, List<Boolean> wide) implements LayerGradient {
  public LstmGradient {
    wide = List.copyOf(wide);
  }

  @Override
  public Lstm of() {
    return new Lstm(pass);
  }
}
