package dev.halfcell.op.recurrent;

import java.util.List;

/**
 * (dy, dhN, gates, states, and the inputs of {@link Gru}) → the gradients of those inputs but
 * lengths: back-propagation through time. From a sample's last step to its first, with dh starting
 * at dhN and h the state before the step:
 *
 * <pre>{@code
 * dh += dy            dn = dh · (1 − z) · (1 − n²)
 * da = [dn · q · r(1 − r), dh · (h − n) · z(1 − z), dn]
 * dq = [da[0], da[1], dn · r]
 * dh = dh · z + weightHᵀ · dq
 * }</pre>
 *
 * and dx = weightXᵀ · da, dweightX = Σ da · xᵀ, dbiasX = Σ da, dweightH = Σ dq · hᵀ, dbiasH = Σ dq.
 * Where x is half, da, dq and the h that dq is multiplied with are rounded to its dtype; dh and all
 * sums are FP32.
 *
 * @param wide for each leading input whether its gradient leaves unrounded, in FP32
 */
public record GruGradient(Pass pass, List<Boolean> wide) implements LayerGradient {
  public GruGradient {
    wide = List.copyOf(wide);
  }

  @Override
  public Gru of() {
    return new Gru(pass);
  }
}
