package dev.halfcell.nn;

import dev.halfcell.op.recurrent.Gru;
import dev.halfcell.op.recurrent.Pass;
import dev.halfcell.op.recurrent.Recurrent;

/**
 * Layers of gated recurrent units.
 *
 * <p>Inputs: x [T, N, I] ([N, T, I] if batch first); if they are not zero, the initial states h0 [L
 * · D, N, H], layer by layer, the direction from first to last step before the other; and, if
 * samples differ in length, lengths INT32 [N]. L is the number of layers, D of directions.
 *
 * <p>Output: y [T, N, D · H] (or [N, T, D · H]); or, with {@link Recurrence#toLastState}, the last
 * state h of the top layer [N, D · H], which for a sample that is read from its end is the state
 * after its first step. {@link Forward#callAll} gives hN behind it, the last states in the order of
 * the initial ones.
 *
 * <p>Parameters, with the names that PyTorch and MindSpore give them: for each layer k (and with
 * {@code _reverse} behind it for the other direction) weight_ih_lk [3H, I], weight_hh_lk [3H, H],
 * bias_ih_lk and bias_hh_lk [3H], with the gates r, z, n below each other. All start uniformly
 * between −1 / √H and 1 / √H. Op: {@link Gru}.
 */
public final class GRU extends RecurrentLayers {
  /** One layer in one direction that returns its output of each step. */
  public GRU(int inputs, int hidden) {
    this(Recurrence.of(inputs, hidden));
  }

  /** Layers as described. */
  public GRU(Recurrence how) {
    super(how, 3, 1);
  }

  @Override
  Recurrent op(Pass pass) {
    return new Gru(pass);
  }
}
