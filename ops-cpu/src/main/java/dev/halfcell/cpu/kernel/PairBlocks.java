package dev.halfcell.cpu.kernel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How a row of pixels is covered by vectors in pooling of 2 x 2, where a row of pooled pixels has
 * at least one vector of numbers. Blocks are vectors of what is written; they may overlap, and none
 * reaches past its row. All lanes of a block are numbers of two vectors that are read, or of one.
 *
 * @param to where each block begins in the row that is written
 * @param from where its first vector begins in the row that is read
 * @param last where its second one begins
 * @param lanes of all blocks, one behind the other: the place in the two vectors that is read
 * @param places the place in the window's row that is written; {@link #NONE} outside of windows
 */
record PairBlocks(int[] to, int[] from, int[] last, int[] lanes, int[] places) {
  /** No place of a window, nor the one below it. */
  static final int NONE = 8;

  /** Whether rows are long enough. */
  static boolean fit(Windows windows, int length) {
    return windows.pooledWidth() * windows.pixel() >= length;
  }

  /** Pooled rows written, the left pixels of windows read; the right ones lie a pixel further. */
  static PairBlocks pooling(Windows windows, int length) {
    int pixel = windows.pixel();
    int[] to = starts(windows.pooledWidth(), pixel, length);
    int[] from = new int[to.length];
    int[] last = new int[to.length];
    int[] lanes = new int[to.length * length];
    for (int b = 0; b < to.length; b++) {
      from[b] = left(to[b], pixel);
      last[b] = left(to[b] + length - 1, pixel) - length + 1;
      for (int lane = 0; lane < length; lane++) {
        int at = left(to[b] + lane, pixel);
        lanes[b * length + lane] = at - from[b] < length ? at - from[b] : length + at - last[b];
      }
    }
    return new PairBlocks(to, from, last, lanes, new int[lanes.length]);
  }

  /** Where the left pixel of the window has what a pooled row has at {@code at}. */
  private static int left(int at, int pixel) {
    return at / pixel * 2 * pixel + at % pixel;
  }

  /** Rows of the image written, pooled ones read, each from one vector. */
  static PairBlocks spreading(Windows windows, int length) {
    int pixel = windows.pixel();
    int most = windows.pooledWidth() * pixel;
    int[] to = starts(windows.width(), pixel, length);
    int[] from = new int[to.length];
    int[] lanes = new int[to.length * length];
    int[] places = new int[to.length * length];
    for (int b = 0; b < to.length; b++) {
      int first = to[b];
      int[] pooled =
          IntStream.range(first, first + length)
              .map(at -> at / (2 * pixel) * pixel + at % pixel)
              .toArray();
      from[b] = Math.min(Arrays.stream(pooled).min().orElseThrow(), most - length);
      for (int lane = 0; lane < length; lane++) {
        boolean inside = pooled[lane] < most;
        lanes[b * length + lane] = inside ? pooled[lane] - from[b] : 0;
        places[b * length + lane] = inside ? (first + lane) / pixel % 2 : NONE;
      }
    }
    return new PairBlocks(to, from, from, lanes, places);
  }

  /**
   * Blocks begin where a pixel does, so that what they read is no longer than theirs, and end with
   * the row or, where pixels are longer than a block, with the pixel.
   */
  private static int[] starts(int pixels, int pixel, int length) {
    List<Integer> starts = new ArrayList<>();
    int unit = pixel > length ? pixel : pixels * pixel;
    int step = pixel > length ? length : length / pixel * pixel;
    for (int begin = 0; begin < pixels * pixel; begin += unit) {
      for (int at = 0; at < unit - length; at += step) {
        starts.add(begin + at);
      }
      starts.add(begin + unit - length);
    }
    return starts.stream().mapToInt(Integer::intValue).toArray();
  }
}
