package dev.halfcell.zoo.data;

import dev.halfcell.tensor.TensorSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * A data set that the zoo can read.
 *
 * @param name its name in reports
 * @param summary what it is, in a line
 * @param places where it is looked for, and how to get it
 * @param sample what a sample is like where no other form is asked for
 * @param classNames what is told apart, by class number
 * @param size how large the whole of it is
 * @param forms throws where samples cannot be brought into a form
 * @param reader reads it from the place that was chosen, or from where it is found first, in
 *     samples of a certain form
 * @param files reads samples for networks of a certain form out of people's own files
 */
public record DataSetDefinition(
    String name,
    String summary,
    String places,
    TensorSpec sample,
    List<String> classNames,
    Size size,
    Consumer<TensorSpec> forms,
    BiFunction<Optional<String>, TensorSpec, DataSplit> reader,
    FileReader files) {
  public DataSetDefinition {
    classNames = List.copyOf(classNames);
  }

  /** Reads samples out of people's own files. */
  @FunctionalInterface
  public interface FileReader {
    /** All samples of a file, for a network that takes that form. */
    SampleImages read(Path file, TensorSpec form);
  }

  /** How many classes are told apart. */
  public int classes() {
    return classNames.size();
  }

  /**
   * How large a data set is.
   *
   * @param train samples to train on
   * @param test samples to test on
   * @param sampleBytes what each takes in memory as it is kept
   */
  public record Size(int train, int test, long sampleBytes) {
    /** That of a part of it. */
    public Size of(DataSplit split) {
      return new Size(split.train().size(), split.test().size(), sampleBytes);
    }

    /** What all samples take in memory. */
    public long bytes() {
      return ((long) train + test) * sampleBytes;
    }
  }

  /**
   * Reads it, in samples as they are.
   *
   * @param choice a folder, or {@code embedded} for the sample that comes with HalfCell; none means
   *     the first place where it is found
   * @throws dev.halfcell.tensor.ArgumentException where the choice names no folder
   * @throws dev.halfcell.tensor.DataException where the folder or a file in it is not as it has to
   *     be
   */
  public DataSplit open(Optional<String> choice) {
    return open(choice, sample);
  }

  /**
   * Throws where samples cannot be brought into a form, without reading any.
   *
   * @throws dev.halfcell.tensor.ArgumentException naming the forms that there are
   */
  public void requireForm(TensorSpec form) {
    forms.accept(form);
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
