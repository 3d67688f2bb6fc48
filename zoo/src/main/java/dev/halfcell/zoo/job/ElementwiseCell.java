package dev.halfcell.zoo.job;

import dev.halfcell.nn.Cell;

/** Activations, place by place or along an axis. */
public sealed interface ElementwiseCell extends CellSpecification {
  /** max(0, x). */
  record ReLU() implements ElementwiseCell {
    @Override
    public Cell build() {
      return new dev.halfcell.nn.ReLU();
    }
  }

  /** x, or a share of it below 0. */
  record LeakyReLU(@Key(value = "The share, at least 0.", otherwise = "0.01") double alpha)
      implements ElementwiseCell {
    @Override
    public Cell build() {
      return new dev.halfcell.nn.LeakyReLU(alpha);
    }
  }

  /** x, or a share of it below 0 that is trained. */
  record PReLU(
      @Key(
              value = "Channels with a share each, or 1 for all.",
              least = 1,
              most = Limits.DIMENSION,
              otherwise = "1")
          int channel)
      implements ElementwiseCell {
    @Override
    public Cell build() {
      return new dev.halfcell.nn.PReLU(channel);
    }
  }

  /** x between 0 and a bound. */
  record ClippedReLU(@Key(value = "The bound, at least 0.", otherwise = "20") double most)
      implements ElementwiseCell {
    @Override
    public Cell build() {
      return new dev.halfcell.nn.ClippedReLU(most);
    }
  }

  /** x · Φ(x). */
  record GELU(@Key(value = "Whether by tanh.", otherwise = "false") boolean approximate)
      implements ElementwiseCell {
    @Override
    public Cell build() {
      return new dev.halfcell.nn.GELU(approximate);
    }
  }

  /** x · sigmoid(x). */
  record SiLU() implements ElementwiseCell {
    @Override
    public Cell build() {
      return new dev.halfcell.nn.SiLU();
    }
  }

  /** SiLU in straight pieces. */
  record HardSwish() implements ElementwiseCell {
    @Override
    public Cell build() {
      return new dev.halfcell.nn.HardSwish();
    }
  }

  /** 1 / (1 + exp(−x)). */
  record Sigmoid() implements ElementwiseCell {
    @Override
    public Cell build() {
      return new dev.halfcell.nn.Sigmoid();
    }
  }

  /** The hyperbolic tangent. */
  record Tanh() implements ElementwiseCell {
    @Override
    public Cell build() {
      return new dev.halfcell.nn.Tanh();
    }
  }

  /** Shares that add up to 1 along an axis. */
  record Softmax(@Key(value = "The axis.", otherwise = "-1") int axis) implements ElementwiseCell {
    @Override
    public Cell build() {
      return new dev.halfcell.nn.Softmax(axis);
    }
  }

  /** All axes but the batch's become one. */
  record Flatten() implements ElementwiseCell {
    @Override
    public Cell build() {
      return new dev.halfcell.nn.Flatten();
    }
  }
}
