package dev.halfcell.op.pooling;

import dev.halfcell.op.Padding2d;

/**
 * Where the windows of a pooling lie on an image of some size. A window's places are numbered row
 * by row, as if it were as large as the largest: k · {@link #mostColumns} + l.
 */
public sealed interface Windows2d permits Window2d, AdaptiveWindow2d {
  /** What surrounds the image that the windows lie on. */
  Padding2d padding();

  /** The output height for an input height; below 1 where no window fits. */
  int outputHeight(int input);

  /** The output width for an input width; below 1 where no window fits. */
  int outputWidth(int input);

  /** The first row of windows {@code i} from the top, which may lie above the image. */
  int top(int i, int input);

  /** The rows of windows {@code i} from the top, which may reach below the image. */
  int rows(int i, int input);

  /** The first column of windows {@code j} from the left, which may lie beside the image. */
  int left(int j, int input);

  /** The columns of windows {@code j} from the left, which may reach beyond the image. */
  int columns(int j, int input);

  /** The most rows of any window. */
  int mostRows(int input);

  /** The most columns of any window. */
  int mostColumns(int input);

  /** The rows of windows {@code i} that lie in the image. */
  default int rowsInside(int i, int input) {
    return inside(top(i, input), rows(i, input), input);
  }

  /** The columns of windows {@code j} that lie in the image. */
  default int columnsInside(int j, int input) {
    return inside(left(j, input), columns(j, input), input);
  }

  private static int inside(int first, int count, int input) {
    return Math.min(first + count, input) - Math.max(first, 0);
  }
}
