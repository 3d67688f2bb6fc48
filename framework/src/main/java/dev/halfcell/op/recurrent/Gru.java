package dev.halfcell.op.recurrent;

import java.util.List;

/**
 * (x, weightX, weightH, biasX, biasH[, h0][, lengths]) → y, hN, gates, states: a gated recurrent
 * unit. For each step, with a = weightX · x + biasX and q = weightH · h + biasH:
 *
 * <pre>{@code
 * r = σ(a[0] + q[0])   z = σ(a[1] + q[1])   n = tanh(a[2] + r · q[2])
 * h' = (1 − z) · n + z · h
 * }</pre>
 *
 * <p>Shapes: x [T, N, I], weightX [3H, I], weightH [3H, H], biases [3H], states h0 and hN [N, H],
 * lengths [N], y [T, N, H] with h' of each step; gates [T, N, 4H] with r, z, n and q[2], and states
 * [T, N, H] with h' of each step, are saved for the gradient, 0 behind a sample's end. Dtypes: y
 * and hN like x, gates and states FP32 at least, lengths INT32; where x is half, h' is rounded to
 * its dtype, and so goes into the next step and into the states. Gradient: {@link GruGradient}.
 * Errors: a length outside 0 to T is a {@link dev.halfcell.tensor.DataException}.
 *
 * <p>Source: Cho et al., "Learning Phrase Representations using RNN Encoder-Decoder", EMNLP 2014,
 * in the form of PyTorch and cuDNN, where r multiplies the product with its bias.
 */
public record Gru(Pass pass) implements Layer {
  @Override
  public int gates() {
    return 3;
  }

  @Override
  public int states() {
    return 1;
  }

  @Override
  public GruGradient gradientOp(List<Boolean> wide) {
    return new GruGradient(pass, wide);
  }
}
