package dev.halfcell.nn;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Tensor;
import java.util.OptionalInt;

/**
 * A table that turns whole numbers, such as those of words, into rows of numbers that are trained.
 *
 * <p>Shapes: indices INT32 or INT64 of any shape, y of that shape and then {@code width}; parameter
 * embedding_table [vocabulary, width], which starts as MindSpore's: normally with a deviation of
 * 0.01. Op: {@link dev.halfcell.op.indexing.Embedding}.
 */
public final class Embedding extends Cell {
  private final dev.halfcell.op.indexing.Embedding lookUp;
  private final Parameter table;

  /** A table of {@code vocabulary} rows with a dense gradient. */
  public Embedding(int vocabulary, int width) {
    this(vocabulary, width, OptionalInt.empty(), false, new Initializer.Normal(0.01));
  }

  /**
   * The same with all options.
   *
   * @param padding the index of a row that starts at 0 and gets no gradient, if there is one
   * @param sparse whether the gradient stays rows; {@link dev.halfcell.optim.Sgd} without decay
   *     then moves those alone, with the same bits, and every other optimizer gets it whole
   * @param rows how the table starts
   */
  public Embedding(
      int vocabulary, int width, OptionalInt padding, boolean sparse, Initializer rows) {
    ArgumentException.require(
        vocabulary >= 1, "Embedding", "a vocabulary of at least 1", vocabulary);
    ArgumentException.require(width >= 1, "Embedding", "a width of at least 1", width);
    ArgumentException.require(
        padding.orElse(0) < vocabulary,
        "Embedding padding index",
        "an index of the vocabulary of " + vocabulary,
        padding.orElse(0));
    lookUp = new dev.halfcell.op.indexing.Embedding(padding, sparse);
    Initializer start =
        padding.isPresent() ? new Initializer.ZeroRow(rows, padding.getAsInt()) : rows;
    table = parameter("embedding_table", start, vocabulary, width);
  }

  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    return f.ops().run(lookUp, f.read(table), f.only(inputs));
  }
}
