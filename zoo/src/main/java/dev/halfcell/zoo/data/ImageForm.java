package dev.halfcell.zoo.data;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

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

  /** An image of 28 x 28. */
  @FunctionalInterface
  interface Lines {
    /** What the network is to be given for the pixels of a line. */
    void read(int number, float[] line);
  }

  /** Writes an image into a row of a batch. */
  void write(Lines lines, Tensor batch, int row) {
    int side = side();
    int times = enlargement();
    long channel = (long) side * side * Float.BYTES;
    long bytes = channels() * channel;
    MemorySegment image = batch.data().asSlice(row * bytes, bytes);
    if (frame() > 0) {
      image.asSlice(0, channel).fill((byte) 0);
    }
    float[] line = new float[SIDE];
    float[] wide = times == 1 ? line : new float[SIDE * times];
    for (int y = 0; y < SIDE; y++) {
      lines.read(y, line);
      enlarge(line, wide, times);
      for (int to = frame() + y * times; to < frame() + (y + 1) * times; to++) {
        long at = ((long) to * side + frame()) * Float.BYTES;
        MemorySegment.copy(wide, 0, image, ValueLayout.JAVA_FLOAT, at, wide.length);
      }
    }
    for (int c = 1; c < channels(); c++) {
      MemorySegment.copy(image, 0, image, c * channel, channel);
    }
  }

  private static void enlarge(float[] line, float[] wide, int times) {
    for (int x = 0; x < SIDE && times > 1; x++) {
      Arrays.fill(wide, x * times, (x + 1) * times, line[x]);
    }
  }

  /** The zeros on each side. */
  int frame() {
    return (side() - SIDE * enlargement()) / 2;
  }
}
