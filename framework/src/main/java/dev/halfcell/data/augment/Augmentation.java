package dev.halfcell.data.augment;

/** A change to an image of a training set. Immutable; threads may share it. */
public sealed interface Augmentation permits CutOut, Normalize, RandomCrop, RandomHorizontalFlip {
  /** Changes the image; the same draws give the same change. */
  void apply(Image image, Draws draws);

  /** Whether it draws: then it is for training alone. */
  boolean random();

  /**
   * Demands images that this can change.
   *
   * @throws dev.halfcell.tensor.ArgumentException where images of this size are none of those
   */
  void requireFits(int channels, int height, int width);
}
