package dev.halfcell.op;

import dev.halfcell.tensor.ArgumentException;

/** Rows and columns of zeros around an image, in pixels. */
public record Padding2d(int top, int bottom, int left, int right) {
  /** No padding: "valid". */
  public static final Padding2d NONE = new Padding2d(0, 0, 0, 0);

  public Padding2d {
    ArgumentException.require(
        Math.min(Math.min(top, bottom), Math.min(left, right)) >= 0,
        "padding",
        "no negative size",
        "top %d, bottom %d, left %d, right %d".formatted(top, bottom, left, right));
  }

  /** Whether an int counts the rows and columns of an image of this size with the padding. */
  public boolean countableAround(int height, int width) {
    return (long) height + top + bottom <= Integer.MAX_VALUE
        && (long) width + left + right <= Integer.MAX_VALUE;
  }

  /** Whether there is as much on one side as on the other, of rows and of columns. */
  public boolean even() {
    return top == bottom && left == right;
  }

  /** The same on all four sides. */
  public static Padding2d of(int size) {
    return new Padding2d(size, size, size, size);
  }
}
