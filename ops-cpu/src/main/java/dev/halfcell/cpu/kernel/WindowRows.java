package dev.halfcell.cpu.kernel;

import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.tensor.Shape;

/**
 * The windows of a convolution without groups, as the rows of a matrix: one for each pixel of y,
 * with the pixels of its window one after the other, all channels of each. Padding is 0.
 *
 * @param x the images, channels last
 * @param weight the shape of the weight
 * @param y the shape of what the convolution gives
 * @param out the matrix, for all pixels of y or those of some of its lines
 */
record WindowRows(Conv2dGeometry geometry, Shape weight, Operand x, Shape y, Operand out) {
  /** Adds the stage that makes all of the matrix, of which each thread writes some lines of y. */
  static Operand stage(
      KernelBuilder builder, Conv2dGeometry geometry, Shape weight, Operand x, Shape y) {
    int lines = Math.multiplyExact(y.dim(0), y.dim(2));
    WindowRows rows = of(builder, geometry, weight, x, y, lines);
    Split split = Split.of(lines, 1, builder.threads());
    builder.stage(
        split.parts(),
        part -> rows.write(split.from(part), split.size(part), rows.at(split.from(part))));
    return rows.out;
  }

  /** With room for so many lines of y. */
  static WindowRows of(
      KernelBuilder builder, Conv2dGeometry geometry, Shape weight, Operand x, Shape y, int lines) {
    Shape shape =
        Shape.of(
            Math.multiplyExact(lines, y.dim(3)), weight.dim(1) * weight.dim(2) * weight.dim(3));
    Operand out = builder.workspace(x.spec().as(shape), Layout.ROW_MAJOR);
    return new WindowRows(geometry, weight, x, y, out);
  }

  /** Fills the matrix from its beginning with the windows of lines of y, counted over samples. */
  void write(int line, int count) {
    write(line, count, 0);
  }

  /** Where the windows of this line stand in the matrix of all, in bytes. */
  private long at(int line) {
    return out.spec().bytes() / out.spec().dim(0) * y.dim(3) * line;
  }

  private void write(int first, int count, long start) {
    long pixel = (long) weight.dim(1) * x.dtype().bytes();
    long window = pixel * weight.dim(2) * weight.dim(3);
    long from = x.region().address(0, x.spec().bytes());
    long to = out.region().address(start, window * y.dim(3) * count);
    for (int line = first; line < first + count; line++) {
      int sample = line / y.dim(2);
      int top = line % y.dim(2) * geometry.strideHeight() - geometry.padding().top();
      long image = from + x.sampleOffset(sample);
      for (int column = 0; column < y.dim(3); column++) {
        int left = column * geometry.strideWidth() - geometry.padding().left();
        window(image, top, left, to, pixel);
        to += window;
      }
    }
  }

  private void window(long image, int top, int left, long start, long pixel) {
    int height = x.spec().dim(2);
    int width = x.spec().dim(3);
    long to = start;
    for (int i = 0; i < weight.dim(2); i++) {
      int line = top + i * geometry.dilationHeight();
      boolean within = line >= 0 && line < height;
      long from = image + (long) line * width * pixel;
      if (within && geometry.dilationWidth() == 1 && left >= 0 && left + weight.dim(3) <= width) {
        Transfers.copy(from + left * pixel, to, weight.dim(3) * pixel);
        to += weight.dim(3) * pixel;
        continue;
      }
      for (int j = 0; j < weight.dim(3); j++) {
        int column = left + j * geometry.dilationWidth();
        if (within && column >= 0 && column < width) {
          Transfers.copy(from + column * pixel, to, pixel);
        } else {
          Transfers.clear(to, pixel);
        }
        to += pixel;
      }
    }
  }
}
