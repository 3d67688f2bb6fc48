package dev.halfcell.cpu.kernel;

import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.TensorSpec;

/**
 * What {@link WinogradConvolution} and {@link WinogradWeightGradient} do with lines of tiles. A
 * tile is 4 x 4 pixels of an image and becomes 2 x 2 of the result; neighbours begin two pixels
 * apart. In Winograd's form it is 16 numbers of each channel, one for each position, and those of
 * one position lie together, tile by tile. Addresses are of floats.
 */
interface WinogradLoops {
  /** The positions of a line of a tile. */
  int SIDE = 4;

  /** All positions. */
  int POSITIONS = SIDE * SIDE;

  /** Room for so many tiles or filters in the form. */
  static Operand form(KernelBuilder builder, int rows, int channels) {
    Shape shape = Shape.of(POSITIONS, rows, channels);
    return builder.workspace(new TensorSpec(DType.FP32, shape), Layout.ROW_MAJOR);
  }

  /**
   * Loops of a part.
   *
   * @param form where it has tiles in the form
   * @param tiles those that it goes through line by line
   */
  static WinogradLoops of(KernelBuilder builder, int part, Operand form, WinogradTiles tiles) {
    int channels = form.spec().dim(2);
    long step = form.sampleOffset(1);
    if (VectorModule.usable() && WinogradChannels.suit(channels)) {
      return new WinogradVectors(channels, step);
    }
    return WinogradArrays.of(builder.scratch(part), channels, tiles.columns(), step);
  }

  /**
   * Brings tiles into Winograd's form, the four positions of one of its lines: with {@code sums} of
   * two lines of the image, or their differences, x = a ± b, these are x0 − x2, x1 + x2, x2 − x1
   * and x1 − x3.
   *
   * @param a a line of the image, where the first tile begins
   * @param b the other one
   * @param to the first tile at the first of the positions
   */
  void image(long a, long b, boolean sums, long to, int tiles);

  /**
   * Brings the gradients by tiles of the result into Winograd's form, the four positions of one of
   * its lines: with the sums of a tile's two lines, or their differences, x = a ± b, these are x0,
   * x0 + x1, x0 − x1 and x1.
   *
   * @param a a line of gradients by y, where the first tile begins
   * @param b the other one
   * @param to the first tile at the first of the positions
   */
  void gradient(long a, long b, boolean sums, long to, int tiles);

  /**
   * Brings tiles out of Winograd's form, one line of their pixels: with the sums of three lines of
   * positions, x = a + b + c, or differences, a − b − c, these are x0 + x1 + x2 + bias and x1 − x2
   * − x3 + bias.
   *
   * @param from the first tile at the first position of line a
   * @param bias one for each channel
   * @param to where the pixels of the first tile come
   */
  void result(long from, boolean sums, long bias, long to, int tiles);
}
