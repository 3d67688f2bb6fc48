package dev.halfcell.zoo;

import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.Forward;
import dev.halfcell.nn.LSTM;
import dev.halfcell.nn.Recurrence;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.zoo.data.FashionMnist;

/**
 * An LSTM that reads a sequence of vectors from first to last, and a fully connected layer on its
 * last state: an image is read row by row, as 28 vectors of 28 pixels.
 *
 * <p>Shapes: x [N, T, inputs], y [N, classes], logits. Parameters: each of the four gates of each
 * layer has two weights and two biases, 4 · hidden · (I + hidden + 2) with the I features that the
 * layer sees, and the last layer hidden · classes + classes. With 28 inputs, 128 hidden units, one
 * layer and ten classes that is 4 · 128 · (28 + 128 + 2) + 1,290 = 80,896 + 1,290 = 82,186.
 *
 * <p>Source: Hochreiter, Schmidhuber, "Long Short-Term Memory", Neural Computation 9 (1997), for
 * the layer; reading an image as a sequence is from Le, Jaitly, Hinton, "A Simple Way to Initialize
 * Recurrent Networks of Rectified Linear Units", 2015, section 4.2, which does so pixel by pixel.
 */
public final class SequenceClassifier extends Cell {
  private static final int ROWS = 28;
  private static final long PARAMETERS = 82_186;

  private final Cell lstm;
  private final Cell output;

  /**
   * What can be chosen.
   *
   * @param inputs features of each step
   * @param hidden units of each layer
   * @param layers on top of each other
   * @param classes that are told apart
   */
  public record Config(int inputs, int hidden, int layers, int classes) {
    /** Rows of 28 pixels, 128 units in one layer, ten classes. */
    public static final Config IMAGE_ROWS = new Config(ROWS, 128, 1, 10);

    public Config {
      int smallest = Math.min(Math.min(inputs, hidden), Math.min(layers, classes));
      ArgumentException.require(
          smallest >= 1,
          "SequenceClassifier",
          "inputs, hidden units, layers and classes of at least 1",
          smallest);
    }
  }

  /** A network whose values a state holds. */
  public SequenceClassifier(Config config) {
    Recurrence how = Recurrence.of(config.inputs(), config.hidden()).withLayers(config.layers());
    lstm = child("lstm", new LSTM(how.withBatchFirst().toLastState()));
    output = child("output", new Dense(config.hidden(), config.classes()));
  }

  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    return f.call(output, f.call(lstm, f.only(inputs)));
  }

  /** The one of the zoo. */
  static NetworkDefinition definition() {
    return new NetworkDefinition(
        "lstm",
        "LSTM with 128 units that reads images row by row, 82,186 parameters",
        () -> new SequenceClassifier(Config.IMAGE_ROWS),
        PARAMETERS,
        TensorSpec.of(DType.FP32, ROWS, ROWS),
        FashionMnist.definition(),
        new TrainingDefaults(64, 5, 0.1, 0.9));
  }
}
