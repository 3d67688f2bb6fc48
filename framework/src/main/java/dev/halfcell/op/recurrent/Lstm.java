package dev.halfcell.op.recurrent;

import java.util.List;

/**
 * (x, weightX, weightH, biasX, biasH[, h0, c0][, lengths]) → y, hN, cN, gates, states: long
 * short-term memory. For each step, with a = weightX · x + biasX + weightH · h + biasH:
 *
 * <pre>{@code
 * i = σ(a[0])   f = σ(a[1])   g = tanh(a[2])   o = σ(a[3])
 * c' = f · c + i · g          h' = o · tanh(c')
 * }</pre>
 *
 * <p>Shapes: x [T, N, I], weightX [4H, I], weightH [4H, H], biases [4H], states h0, c0, hN, cN [N,
 * H], lengths [N], y [T, N, H] with h' of each step; gates [T, N, 4H] with i, f, g, o and states
 * [T, N, H] with c' of each step are saved for the gradient, 0 behind a sample's end. Dtypes: y, hN
 * and cN like x, gates and states FP32 at least, lengths INT32; where x is half, h' is rounded to
 * its dtype, as it stands in y, and so goes into the next step, while c' stays FP32. Gradient:
 * {@link LstmGradient}. Errors: a length outside 0 to T is a {@link
 * dev.halfcell.tensor.DataException}.
 *
 * <p>Source: Gers, Schmidhuber, Cummins, "Learning to Forget: Continual Prediction with LSTM",
 * Neural Computation 12 (2000), without peepholes; order of gates and the two biases as in PyTorch
 * and cuDNN.
 */
public record Lstm(Pass pass) implements Layer {
  @Override
  public int gates() {
    return 4;
  }

  @Override
  public int states() {
    return 2;
  }

  @Override
  public LstmGradient gradientOp(List<Boolean> wide) {
    return new LstmGradient(pass, wide);
  }
}
