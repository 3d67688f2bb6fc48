package dev.halfcell.data.augment;

import dev.halfcell.tensor.ArgumentException;

/**
 * Covers squares of the image in all channels. Their middles are drawn from all pixels, so that
 * part of a square may lie outside.
 *
 * <p>Source: DeVries and Taylor, "Improved Regularization of Convolutional Neural Networks with
 * Cutout", 2017, section 3.2.
 *
 * @param length the side of a square, in pixels
 * @param patches the number of squares
 * @param fill what they are covered with: 0 is the mean of normalised images
 */
public record CutOut(int length, int patches, float fill) implements Augmentation {
  public CutOut {
    ArgumentException.require(length >= 1, "CutOut length", "at least 1 pixel", length);
    ArgumentException.require(patches >= 1, "CutOut patches", "at least 1", patches);
    ArgumentException.require(Float.isFinite(fill), "CutOut fill", "a finite number", fill);
  }

  /** One square of zeros. */
  public CutOut(int length) {
    this(length, 1, 0);
  }

  @Override
  public boolean random() {
    return true;
  }

  @Override
  public void apply(Image image, Draws draws) {
    for (int patch = 0; patch < patches; patch++) {
      int top = draws.below(image.height(), 2 * patch) - length / 2;
      int left = draws.below(image.width(), 2 * patch + 1) - length / 2;
      image.fill(top, left, length, length, fill);
    }
  }

  @Override
  public void requireFits(int channels, int height, int width) {
    ArgumentException.require(
        length <= 2 * Math.min(height, width),
        "CutOut length",
        "at most twice the shorter side, " + 2 * Math.min(height, width),
        length);
  }
}
