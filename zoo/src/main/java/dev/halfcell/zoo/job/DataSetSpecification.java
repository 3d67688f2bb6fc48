package dev.halfcell.zoo.job;

import dev.halfcell.zoo.data.SyntheticData;
import java.util.List;
import java.util.Optional;

/**
 * What is trained on. Where its files lie is no matter of a specification.
 *
 * @param name its name; none means the network's own
 */
public record DataSetSpecification(
    @Key(
            "Its name; `halfcell list` names them. `synthetic`: random numbers of the network's shape, to time it with. Default: the network's own.")
        Optional<String> name,
    @Key("How it is given to the network.") Config config) {
  /**
   * How a data set is given to the network.
   *
   * @param shape of a sample, without the batch axis
   * @param augmentations what is done to each image of the training set, one after the other; those
   *     that draw nothing are done in tests too
   */
  public record Config(
      @Key(value = "The shape of a sample without the batch axis, such as [1, 28, 28].", most = 3)
          List<Integer> shape,
      @Key(
              value =
                  "What is done to each image, in this order; what draws nothing is done in tests"
                      + " too. Default: nothing.",
              most = 16)
          List<AugmentationSpecification> augmentations) {
    public Config {
      shape = List.copyOf(shape);
      augmentations = List.copyOf(augmentations);
    }
  }

  /** Whether random numbers stand in the place of the network's data, which no file holds. */
  public boolean isSynthetic() {
    return name.equals(Optional.of(SyntheticData.NAME));
  }

  /** The network's own data, as the network takes it. */
  public static DataSetSpecification usual() {
    return new DataSetSpecification(Optional.empty(), new Config(List.of(), List.of()));
  }
}
