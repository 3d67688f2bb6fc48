package dev.halfcell.zoo.data;

import dev.halfcell.tensor.TensorSpec;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * A data set that the zoo can read.
 *
 * @param name its name in reports
 * @param summary what it is, in a line
 * @param places where it is looked for, and how to get it
 * @param sample what a sample is like where no other form is asked for
 * @param reader reads it from the place that was chosen, or from where it is found first, in
 *     samples of a certain form
 */
public record DataSetDefinition(
    String name,
    String summary,
    String places,
    TensorSpec sample,
    BiFunction<Optional<String>, TensorSpec, DataSplit> reader) {
  /**
   * Reads it, in samples as they are.
   *
   * @param choice a folder, or {@code embedded} for the sample that comes with HalfCell; none means
   *     the first place where it is found
   * @throws dev.halfcell.tensor.DataException where the folder or a file in it is not as it has to
   *     be
   */
  public DataSplit open(Optional<String> choice) {
    return open(choice, sample);
  }

  /**
   * Reads it, in samples of a form that a network takes.
   *
   * @throws dev.halfcell.tensor.ArgumentException where the data cannot be brought into that form
   */
  public DataSplit open(Optional<String> choice, TensorSpec form) {
    return reader.apply(choice, form);
  }
}
