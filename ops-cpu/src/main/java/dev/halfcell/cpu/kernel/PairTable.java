package dev.halfcell.cpu.kernel;

import dev.halfcell.op.Padding2d;
import dev.halfcell.op.pooling.Window2d;

/**
 * Where the windows of the most usual pooling lie, 2 x 2 without overlap or padding.
 *
 * @param first for each pooled number the first of its window in the image
 * @param offsets from there to the four places of the window, row by row
 */
record PairTable(int[] first, int[] offsets) {
  /** Whether these windows are such ones, over an even number of numbers. */
  static boolean fits(Windows windows) {
    Window2d pairs = new Window2d(2, 2, 2, 2, Padding2d.NONE);
    return windows.windows().equals(pairs) && windows.imageSize() % 2 == 0;
  }

  static PairTable of(Windows windows) {
    int pixel = windows.pixel();
    int row = windows.width() * pixel;
    int[] first = new int[windows.pooledSize()];
    for (int index = 0; index < first.length; index++) {
      int channel = index % pixel;
      int column = index / pixel % windows.pooledWidth();
      int line = index / pixel / windows.pooledWidth();
      first[index] = 2 * line * row + 2 * column * pixel + channel;
    }
    return new PairTable(first, new int[] {0, pixel, row, row + pixel});
  }
}
