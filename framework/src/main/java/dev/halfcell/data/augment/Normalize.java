package dev.halfcell.data.augment;

import dev.halfcell.tensor.ArgumentException;
import java.util.List;

/**
 * x ← (x − mean) / deviation, with a mean and a deviation for each channel.
 *
 * @param mean a number for each channel, or one for all
 * @param deviation as many numbers above 0
 */
public record Normalize(List<Double> mean, List<Double> deviation) implements Augmentation {
  public Normalize {
    mean = List.copyOf(mean);
    deviation = List.copyOf(deviation);
    ArgumentException.require(
        !mean.isEmpty() && mean.stream().allMatch(Double::isFinite),
        "Normalize mean",
        "a finite number for each channel, or one for all",
        mean);
    ArgumentException.require(
        deviation.size() == mean.size()
            && deviation.stream().allMatch(d -> Double.isFinite(d) && d > 0),
        "Normalize deviation",
        "as many finite numbers above 0 as there are means, " + mean.size(),
        deviation);
  }

  @Override
  public boolean random() {
    return false;
  }

  @Override
  public void apply(Image image, Draws draws) {
    float[] pixels = image.pixels();
    for (int channel = 0; channel < image.channels(); channel++) {
      int which = mean.size() == 1 ? 0 : channel;
      double middle = mean.get(which);
      double spread = deviation.get(which);
      int first = channel * image.plane();
      for (int i = first; i < first + image.plane(); i++) {
        pixels[i] = (float) ((pixels[i] - middle) / spread);
      }
    }
  }

  @Override
  public void requireFits(int channels, int height, int width) {
    ArgumentException.require(
        mean.size() == 1 || mean.size() == channels,
        "Normalize mean",
        "1 number or " + channels + ", one for each channel",
        mean.size());
  }
}
