package dev.halfcell.nn;

import dev.halfcell.op.Padding2d;

/**
 * How a convolution pads its input with zeros, resolved when its cell sees the input's size. Known
 * to MindSpore as {@code pad_mode}.
 */
public sealed interface PaddingMode {
  /** No padding. */
  PaddingMode VALID = new Valid();

  /** As {@link Same}. */
  PaddingMode SAME = new Same();

  /** The zeros around an image of this height and width. */
  Padding2d resolve(Walk vertical, Walk horizontal);

  /** One axis: {@code input} pixels, and a kernel that walks over them. */
  record Walk(int input, int kernel, int stride, int dilation) {
    private int needed() {
      int output = Math.ceilDiv(input, stride);
      long reach = (long) dilation * (kernel - 1) + 1;
      long needed = (output - 1L) * stride + reach - input;
      return Math.clamp(needed, 0, Integer.MAX_VALUE); // the op refuses as much as that
    }
  }

  /** No padding: windows lie in the image. */
  record Valid() implements PaddingMode {
    @Override
    public Padding2d resolve(Walk vertical, Walk horizontal) {
      return Padding2d.NONE;
    }
  }

  /**
   * As many zeros as make the output ceil(input / stride) pixels long: max(0, (output − 1) · stride
   * + dilation · (kernel − 1) + 1 − input) in all, half of them, rounded down, above and on the
   * left. With a stride the amount depends on the input's size, and may be odd or none: it is not
   * the fixed padding that PyTorch's networks use. Source: TensorFlow, "tf.nn", section "Notes on
   * padding"; MindSpore's {@code pad_mode="same"} is the same rule.
   */
  record Same() implements PaddingMode {
    @Override
    public Padding2d resolve(Walk vertical, Walk horizontal) {
      int tall = vertical.needed();
      int broad = horizontal.needed();
      return new Padding2d(tall / 2, tall - tall / 2, broad / 2, broad - broad / 2);
    }
  }

  /** These zeros, whatever the input. MindSpore's {@code pad_mode="pad"}. */
  record Explicit(Padding2d padding) implements PaddingMode {
    @Override
    public Padding2d resolve(Walk vertical, Walk horizontal) {
      return padding;
    }
  }
}
