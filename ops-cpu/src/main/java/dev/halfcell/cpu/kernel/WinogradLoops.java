package dev.halfcell.cpu.kernel;

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

  /**
   * Loops for images of so many channels.
   *
   * @param tiles the most of a line
   * @param step the bytes from one position to the next
   */
  static WinogradLoops of(KernelBuilder builder, int part, int channels, int tiles, long step) {
    if (VectorModule.usable() && WinogradChannels.suit(channels)) {
      return new WinogradVectors(channels, step);
    }
    return WinogradArrays.of(builder.scratch(part), channels, tiles, step);
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
