package dev.halfcell.nn;

import dev.halfcell.tensor.ArgumentException;

/**
 * How {@link LSTM} and {@link GRU} are built.
 *
 * @param inputs features of each step of the input (MindSpore: input_size)
 * @param hidden units of each layer in each direction (hidden_size)
 * @param layers how many stand on top of each other (num_layers)
 * @param bidirectional whether each layer also goes from last step to first, in parameters of its
 *     own; the outputs stand side by side
 * @param batchFirst whether sequences are [N, T, ...]; they are [T, N, ...] otherwise
 * @param dropout the share of each layer's output that is dropped on the way to the next layer
 *     while training, see {@link Dropout}
 * @param result what the cell returns
 */
public record Recurrence(
    int inputs,
    int hidden,
    int layers,
    boolean bidirectional,
    boolean batchFirst,
    double dropout,
    Result result) {
  /** What a recurrent cell returns. */
  public enum Result {
    /** The top layer's output of each step; 0 behind a sample's end. */
    SEQUENCE,
    /**
     * The top layer's state when a sample is done: [N, hidden], or both directions' side by side.
     */
    LAST_STATE
  }

  public Recurrence {
    int smallest = Math.min(Math.min(inputs, hidden), layers);
    ArgumentException.require(
        smallest >= 1, "Recurrence", "inputs, hidden units and layers of at least 1", smallest);
  }

  /** One layer in one direction over [T, N, inputs], which returns its output of each step. */
  public static Recurrence of(int inputs, int hidden) {
    return new Recurrence(inputs, hidden, 1, false, false, 0, Result.SEQUENCE);
  }

  /** The same with this many layers. */
  public Recurrence withLayers(int count) {
    return new Recurrence(inputs, hidden, count, bidirectional, batchFirst, dropout, result);
  }

  /** The same in both directions. */
  public Recurrence inBothDirections() {
    return new Recurrence(inputs, hidden, layers, true, batchFirst, dropout, result);
  }

  /** The same over [N, T, inputs]. */
  public Recurrence withBatchFirst() {
    return new Recurrence(inputs, hidden, layers, bidirectional, true, dropout, result);
  }

  /** The same with a share of {@code rate} dropped between layers, of which there are several. */
  public Recurrence withDropout(double rate) {
    return new Recurrence(inputs, hidden, layers, bidirectional, batchFirst, rate, result);
  }

  /** The same, which returns {@link Result#LAST_STATE}. */
  public Recurrence toLastState() {
    return new Recurrence(
        inputs, hidden, layers, bidirectional, batchFirst, dropout, Result.LAST_STATE);
  }

  int directions() {
    return bidirectional ? 2 : 1;
  }

  /** The features that a layer sees. */
  int inputsOf(int layer) {
    return layer == 0 ? inputs : hidden * directions();
  }
}
