package dev.halfcell.zoo.data;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The form in which a network is given grey images of 28 x 28 pixels.
 *
 * @param spec FP32 [28 · k, 28 · k], each pixel enlarged to k x k, or [side, side] with an even
 *     frame of zeros around 28 x 28, which the usual [32, 32] is; and the same with channels in
 *     front, in each of which the image is repeated
 */
record ImageForm(TensorSpec spec) {
  static final int SIDE = 28;

  /** One channel and a frame of two zeros. */
  static final TensorSpec PADDED = TensorSpec.of(DType.FP32, 1, SIDE + 4, SIDE + 4);

  ImageForm {
    Shape shape = spec.shape();
    int rank = shape.rank();
    ArgumentException.require(
        spec.dtype() == DType.FP32
            && (rank == 2 || rank == 3)
            && shape.dim(rank - 1) == shape.dim(rank - 2)
            && shape.dim(rank - 1) >= SIDE
            && shape.dim(rank - 1) % 2 == 0,
        "images of 28 x 28",
        "fp32 [side, side] or [channels, side, side] with an even side of at least 28",
        spec);
  }

  /** How often the image is repeated. */
  int channels() {
    return spec.rank() == 2 ? 1 : spec.dim(0);
  }

  /** Rows, and pixels in a row. */
  int side() {
    return spec.dim(spec.rank() - 1);
  }

  /** Into how many pixels, down and to the right, each becomes. */
  int enlargement() {
    return side() % SIDE == 0 ? side() / SIDE : 1;
  }

  /**
   * Writes an image into a row of a batch.
   *
   * @param pixels 28 lines of 28, as the network is to be given them
   */
  void write(float[] pixels, Tensor batch, int row) {
    float[] channel = new float[side() * side()];
    for (int line = 0; line < SIDE * enlargement(); line++) {
      int from = line / enlargement() * SIDE;
      int to = (line + frame()) * side() + frame();
      for (int column = 0; column < SIDE * enlargement(); column++) {
        channel[to + column] = pixels[from + column / enlargement()];
      }
    }
    for (int c = 0; c < channels(); c++) {
      long offset = ((long) row * channels() + c) * channel.length * Float.BYTES;
      MemorySegment.copy(channel, 0, batch.data(), ValueLayout.JAVA_FLOAT, offset, channel.length);
    }
  }

  /** The zeros on each side. */
  int frame() {
    return (side() - SIDE * enlargement()) / 2;
  }
}
