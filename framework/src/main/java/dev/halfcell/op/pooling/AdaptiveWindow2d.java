package dev.halfcell.op.pooling;

import dev.halfcell.op.Padding2d;
import dev.halfcell.tensor.ArgumentException;

/**
 * As many windows as are asked for, whatever the size of the image: window i covers rows floor(i ·
 * H / height) to ceil((i + 1) · H / height), the latter excluded, and the same for the columns.
 * They differ by one row at most, and overlap where H is no multiple of the height.
 *
 * <p>Source: PyTorch, AdaptiveAvgPool2d (aten/src/ATen/native/AdaptivePooling.h, start_index and
 * end_index).
 *
 * @param height rows of the output
 * @param width columns of the output
 */
public record AdaptiveWindow2d(int height, int width) implements Windows2d {
  /** One window over all of the image. */
  public static final AdaptiveWindow2d GLOBAL = new AdaptiveWindow2d(1, 1);

  public AdaptiveWindow2d {
    ArgumentException.require(
        Math.min(height, width) >= 1, "output", "at least 1 x 1", height + " x " + width);
  }

  @Override
  public Padding2d padding() {
    return Padding2d.NONE;
  }

  @Override
  public int outputHeight(int input) {
    return height;
  }

  @Override
  public int outputWidth(int input) {
    return width;
  }

  @Override
  public int top(int i, int input) {
    return first(i, input, height);
  }

  @Override
  public int rows(int i, int input) {
    return count(i, input, height);
  }

  @Override
  public int left(int j, int input) {
    return first(j, input, width);
  }

  @Override
  public int columns(int j, int input) {
    return count(j, input, width);
  }

  @Override
  public int mostRows(int input) {
    return most(input, height);
  }

  @Override
  public int mostColumns(int input) {
    return most(input, width);
  }

  private static int first(int window, int input, int windows) {
    return (int) ((long) window * input / windows);
  }

  private static int count(int window, int input, int windows) {
    int end = (int) Math.ceilDiv((window + 1L) * input, windows);
    return end - first(window, input, windows);
  }

  /** A bound that is met, or missed by one. */
  private static int most(int input, int windows) {
    return input % windows == 0 ? input / windows : Math.min(input, input / windows + 2);
  }
}
