package dev.halfcell.data.augment;

import java.util.Arrays;

/**
 * One image while it is changed: FP32 pixels, [channels, height, width]. One thread.
 *
 * <p>It keeps a second array of the same size, which changes that move pixels write into.
 */
public final class Image {
  private final int channels;
  private final int height;
  private final int width;
  private float[] pixels;
  private float[] spare;

  /** An image of zeros. */
  public Image(int channels, int height, int width) {
    this.channels = channels;
    this.height = height;
    this.width = width;
    this.pixels = new float[channels * height * width];
    this.spare = new float[pixels.length];
  }

  public int channels() {
    return channels;
  }

  public int height() {
    return height;
  }

  public int width() {
    return width;
  }

  /** The pixels, which may be written; a change that moves them gives another array. */
  public float[] pixels() {
    return pixels;
  }

  /** How many pixels a channel has. */
  public int plane() {
    return height * width;
  }

  /** Moves all by so many rows down and columns to the right; what comes in is {@code fill}. */
  void shift(int down, int right, float fill) {
    Arrays.fill(spare, fill);
    int count = width - Math.abs(right);
    for (int row = Math.max(0, down); row < height + Math.min(0, down) && count > 0; row++) {
      for (int channel = 0; channel < channels; channel++) {
        int line = channel * plane() + row * width + Math.max(0, right);
        int source = channel * plane() + (row - down) * width + Math.max(0, -right);
        System.arraycopy(pixels, source, spare, line, count);
      }
    }
    float[] moved = spare;
    spare = pixels;
    pixels = moved;
  }

  /** Turns each row round. */
  void mirror() {
    for (int line = 0; line < pixels.length; line += width) {
      for (int left = line, right = line + width - 1; left < right; left++, right--) {
        float pixel = pixels[left];
        pixels[left] = pixels[right];
        pixels[right] = pixel;
      }
    }
  }

  /** Fills a rectangle, as far as it lies in the image, in all channels. */
  void fill(int top, int left, int rows, int columns, float value) {
    int from = Math.clamp(left, 0, width);
    int to = Math.clamp(left + columns, 0, width);
    for (int row = Math.max(0, top); row < Math.min(height, top + rows); row++) {
      for (int channel = 0; channel < channels; channel++) {
        int line = channel * plane() + row * width;
        Arrays.fill(pixels, line + from, line + to, value);
      }
    }
  }
}
