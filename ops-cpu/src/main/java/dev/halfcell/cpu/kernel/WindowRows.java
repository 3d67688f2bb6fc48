package dev.halfcell.cpu.kernel;

import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.tensor.Shape;
import java.lang.foreign.MemorySegment;

/**
 * The windows of a convolution without groups, as the rows of a matrix: one for each pixel of y,
 * with the pixels of its window one after the other, all channels of each. Padding is 0. Each
 * thread writes the windows of its rows of y.
 *
 * @param x the images, channels last
 * @param weight the shape of the weight
 * @param y the shape of what the convolution gives
 */
record WindowRows(
    Conv2dGeometry geometry, Shape weight, Operand x, Shape y, MemorySegment padding, Operand out) {
  /** Adds the stage that makes the matrix. */
  static Operand stage(
      KernelBuilder builder, Conv2dGeometry geometry, Shape weight, Operand x, Shape y) {
    int pixels = Math.toIntExact(y.size() / y.dim(1));
    Shape shape = Shape.of(pixels, weight.dim(1) * weight.dim(2) * weight.dim(3));
    Operand out = builder.workspace(x.spec().as(shape), Layout.ROW_MAJOR);
    MemorySegment padding = MemorySegment.ofArray(new byte[weight.dim(1) * x.dtype().bytes()]);
    WindowRows rows = new WindowRows(geometry, weight, x, y, padding, out);
    Split split = Split.of(y.dim(0) * y.dim(2), 1, builder.threads());
    builder.stage(split.parts(), part -> rows.write(split.from(part), split.from(part + 1)));
    return out;
  }

  private void write(int begin, int end) {
    long to = (long) begin * y.dim(3) * weight.dim(2) * weight.dim(3) * padding.byteSize();
    for (int row = begin; row < end; row++) {
      int sample = row / y.dim(2);
      int top = row % y.dim(2) * geometry.strideHeight() - geometry.padding().top();
      for (int column = 0; column < y.dim(3); column++) {
        int left = column * geometry.strideWidth() - geometry.padding().left();
        to = window(sample, top, left, to);
      }
    }
  }

  /** Returns where the next window goes. */
  private long window(int sample, int top, int left, long start) {
    MemorySegment from = x.region().data();
    MemorySegment target = out.region().data();
    int height = x.spec().dim(2);
    int width = x.spec().dim(3);
    long bytes = padding.byteSize();
    long to = start;
    for (int i = 0; i < weight.dim(2); i++) {
      int line = top + i * geometry.dilationHeight();
      for (int j = 0; j < weight.dim(3); j++) {
        int pixel = left + j * geometry.dilationWidth();
        boolean inside = line >= 0 && line < height && pixel >= 0 && pixel < width;
        long at = inside ? (((long) sample * height + line) * width + pixel) * bytes : 0;
        MemorySegment.copy(inside ? from : padding, at, target, to, bytes);
        to += bytes;
      }
    }
    return to;
  }
}
