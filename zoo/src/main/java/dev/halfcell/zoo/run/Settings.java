package dev.halfcell.zoo.run;

import dev.halfcell.amp.precision.Level;
import dev.halfcell.tensor.DType;
import java.util.OptionalInt;

/**
 * What a run was made with, as its summary repeats it.
 *
 * @param network the network's name in the zoo
 * @param half the 16-bit dtype of levels O1 to O3
 * @param lossScale the name of the loss scale's rule
 * @param device the backend's name, never {@code auto}
 * @param threads that compute
 * @param dataset the data set and where it was read from
 * @param seed what all random numbers follow from
 */
public record Settings(
    String network,
    Level level,
    DType half,
    String lossScale,
    String device,
    int threads,
    String dataset,
    Length length,
    long seed) {
  /**
   * How long a run is.
   *
   * @param epochs how often each sample is seen, or epochs that are begun
   * @param batchSize samples in a batch
   * @param steps after how many steps it ends, where that is within an epoch
   */
  public record Length(int epochs, int batchSize, OptionalInt steps) {}
}
