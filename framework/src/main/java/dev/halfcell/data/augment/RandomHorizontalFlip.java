package dev.halfcell.data.augment;

import dev.halfcell.tensor.ArgumentException;

/**
 * Mirrors the image, left to right, with a probability.
 *
 * @param probability from 0 to 1
 */
public record RandomHorizontalFlip(double probability) implements Augmentation {
  public RandomHorizontalFlip {
    ArgumentException.require(
        probability >= 0 && probability <= 1,
        "RandomHorizontalFlip probability",
        "a number from 0 to 1",
        probability);
  }

  /** Every other image, on average. */
  public RandomHorizontalFlip() {
    this(0.5);
  }

  @Override
  public boolean random() {
    return true;
  }

  @Override
  public void apply(Image image, Draws draws) {
    if (draws.uniform(0) < probability) {
      image.mirror();
    }
  }

  /** Any image has a left and a right. */
  @Override
  public void requireFits(int channels, int height, int width) {}
}
