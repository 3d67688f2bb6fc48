package dev.halfcell.zoo.data;

import java.util.Optional;
import java.util.function.Function;

/**
 * A data set that the zoo can read.
 *
 * @param name its name in reports
 * @param summary what it is, in a line
 * @param places where it is looked for, and how to get it
 * @param reader reads it from the place that was chosen, or from where it is found first
 */
public record DataSetDefinition(
    String name, String summary, String places, Function<Optional<String>, DataSplit> reader) {
  /**
   * Reads it.
   *
   * @param choice a folder, or {@code embedded} for the sample that comes with HalfCell; none means
   *     the first place where it is found
   * @throws dev.halfcell.tensor.DataException where the folder or a file in it is not as it has to
   *     be
   */
  public DataSplit open(Optional<String> choice) {
    return reader.apply(choice);
  }
}
