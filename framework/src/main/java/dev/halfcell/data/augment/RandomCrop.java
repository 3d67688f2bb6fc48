package dev.halfcell.data.augment;

import dev.halfcell.tensor.ArgumentException;

/**
 * Puts a frame of {@code padding} pixels around the image and cuts out one of its own size, at a
 * place drawn from all (2 · padding + 1)² with the same probability.
 *
 * <p>Source: He et al., "Deep Residual Learning for Image Recognition", 2016, section 4.2.
 *
 * @param padding pixels on each side
 * @param fill the value of the frame
 */
public record RandomCrop(int padding, float fill) implements Augmentation {
  public RandomCrop {
    ArgumentException.require(padding >= 1, "RandomCrop padding", "at least 1 pixel", padding);
    ArgumentException.require(Float.isFinite(fill), "RandomCrop fill", "a finite number", fill);
  }

  /** A frame of zeros. */
  public RandomCrop(int padding) {
    this(padding, 0);
  }

  @Override
  public boolean random() {
    return true;
  }

  @Override
  public void apply(Image image, Draws draws) {
    int places = 2 * padding + 1;
    image.shift(draws.below(places, 0) - padding, draws.below(places, 1) - padding, fill);
  }

  @Override
  public void requireFits(int channels, int height, int width) {
    ArgumentException.require(
        padding < Math.min(height, width),
        "RandomCrop padding",
        "less than the " + Math.min(height, width) + " pixels of a side",
        padding);
  }
}
