package dev.halfcell.nn;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Tensor;

/**
 * y = x + a vector for each place of the sequence, learned or fixed waves.
 *
 * <p>Shapes: x and y [N, T, features] with T at most {@code length}; parameter or statistic
 * position [length, features]. Fixed waves: position[t, 2i] = sin(t / 10000^(2i / features)),
 * position[t, 2i + 1] = cos of the same; they are a statistic that is never updated, so that
 * checkpoints are whole.
 *
 * <p>Source: Vaswani et al., "Attention Is All You Need", NeurIPS 2017, section 3.5; learned:
 * Devlin et al., "BERT", NAACL 2019, section 3.2.
 */
public final class PositionalEmbedding extends Cell {
  private final int length;
  private final Parameter position;

  private PositionalEmbedding(int length, int features, boolean learned) {
    Parameter.requireSizes("PositionalEmbedding", length, features);
    this.length = length;
    this.position =
        learned
            ? parameter("position", new Initializer.Normal(0.02), length, features)
            : statistic("position", new Initializer.Waves(), length, features);
  }

  /** Vectors that an optimizer trains. */
  public static PositionalEmbedding learned(int length, int features) {
    return new PositionalEmbedding(length, features, true);
  }

  /** Sines and cosines of falling frequency; {@code features} is even. */
  public static PositionalEmbedding sinusoidal(int length, int features) {
    ArgumentException.require(
        features % 2 == 0, "PositionalEmbedding", "an even number of features", features);
    return new PositionalEmbedding(length, features, false);
  }

  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    Tensor x = f.only(inputs);
    int features = position.spec().dim(1);
    f.shape(
        x.spec().rank() == 3 && x.spec().dim(1) <= length && x.spec().dim(2) == features,
        x,
        "[N, T, " + features + "] with T at most " + length,
        "Make it longer, or the sequences shorter.");
    Tensor all = f.read(position);
    Tensor some = x.spec().dim(1) == length ? all : f.ops().slice(all, 0, 0, x.spec().dim(1));
    return f.ops().add(x, some);
  }
}
