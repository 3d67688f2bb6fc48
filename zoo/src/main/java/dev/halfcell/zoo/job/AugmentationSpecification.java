package dev.halfcell.zoo.job;

import dev.halfcell.data.augment.Augmentation;
import java.util.List;

/**
 * A change to the images of a training set: its name under the key {@code augmentation}, and what
 * its constructor takes. This family is the table of those that there are.
 */
@Tagged("augmentation")
public sealed interface AugmentationSpecification {
  /**
   * The change.
   *
   * @throws dev.halfcell.tensor.ArgumentException where a number makes no sense to it
   */
  Augmentation augmentation();

  /**
   * A frame around the image, and an image of its size cut out of both at a place that is drawn.
   */
  record RandomCrop(
      @Key(value = "Pixels of the frame on each side.", least = 1, most = Limits.DIMENSION)
          int padding,
      @Key(value = "The value of the frame.", otherwise = "0") double fill)
      implements AugmentationSpecification {
    @Override
    public Augmentation augmentation() {
      return new dev.halfcell.data.augment.RandomCrop(padding, (float) fill);
    }
  }

  /** Left for right, with a probability. */
  record RandomHorizontalFlip(
      @Key(value = "How often, from 0 to 1.", least = 0, most = 1, otherwise = "0.5")
          double probability)
      implements AugmentationSpecification {
    @Override
    public Augmentation augmentation() {
      return new dev.halfcell.data.augment.RandomHorizontalFlip(probability);
    }
  }

  /** Pixels less a mean, by a deviation: in training and in tests. */
  record Normalize(
      @Key(value = "A number for each channel, or one for all.", least = 1, most = 4096)
          List<Double> mean,
      @Key(value = "As many numbers above 0.", least = 1, most = 4096) List<Double> deviation)
      implements AugmentationSpecification {
    public Normalize {
      mean = List.copyOf(mean);
      deviation = List.copyOf(deviation);
    }

    @Override
    public Augmentation augmentation() {
      return new dev.halfcell.data.augment.Normalize(mean, deviation);
    }
  }

  /** Squares at places that are drawn, covered. */
  record CutOut(
      @Key(value = "The side of a square in pixels.", least = 1, most = Limits.DIMENSION)
          int length,
      @Key(value = "How many squares.", least = 1, most = 1024, otherwise = "1") int patches,
      @Key(value = "What they are covered with.", otherwise = "0") double fill)
      implements AugmentationSpecification {
    @Override
    public Augmentation augmentation() {
      return new dev.halfcell.data.augment.CutOut(length, patches, (float) fill);
    }
  }
}
