package dev.halfcell.cpu.kernel;

import dev.halfcell.tensor.Shape;

/**
 * The tiles of images: 2 x 2 pixels of the result each, from 4 x 4 of the image that begin two
 * apart. Lines of them are counted through all images.
 *
 * @param rows the lines of an image
 * @param columns the tiles of a line
 * @param above how far the first tile begins above the image
 * @param before how far it begins to the left of it
 */
record WinogradTiles(int rows, int columns, int above, int before) {
  private static final int APART = 2;

  /** The tiles of a result [N, C, H, W]. */
  static WinogradTiles of(Shape y, int above, int before) {
    return new WinogradTiles(
        Math.ceilDiv(y.dim(2), APART), Math.ceilDiv(y.dim(3), APART), above, before);
  }

  int image(int line) {
    return line / rows;
  }

  /** The line of the result where a line of tiles begins. */
  int y(int line) {
    return APART * (line % rows);
  }

  /** The line of the image where a line of tiles begins; negative above it. */
  int top(int line) {
    return y(line) - above;
  }

  /** The column of the image where a tile begins; negative to the left of it. */
  int left(int tile) {
    return APART * tile - before;
  }

  /** The first tile that does not begin to the left of its image. */
  int firstInside() {
    return Math.min(columns, Math.ceilDiv(before, APART));
  }

  /** The tile behind the last that ends within an image of this width. */
  int lastInside(int width) {
    int fit = Math.floorDiv(width - WinogradLoops.SIDE + before, APART) + 1;
    return Math.max(firstInside(), Math.min(columns, fit));
  }
}
