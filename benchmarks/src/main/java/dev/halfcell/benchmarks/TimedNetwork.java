package dev.halfcell.benchmarks;

import dev.halfcell.nn.Cell;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.zoo.NetworkDefinition;
import dev.halfcell.zoo.Networks;
import dev.halfcell.zoo.SequenceClassifier;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A network that is timed; the peers have it under the same name.
 *
 * @param network makes it, without a loss
 * @param sample the spec of one sample, without the batch axis
 * @param batch the samples of a step, unless others are asked for
 * @param convolves whether it convolves images, whose layout matters then
 * @param learningRate so small that roundings in one step do not decide the loss of the next
 * @param agreement what is asked of its losses
 */
record TimedNetwork(
    String name,
    Supplier<Cell> network,
    TensorSpec sample,
    int batch,
    boolean convolves,
    double learningRate,
    LossAgreement agreement) {
  private static final SequenceClassifier.Config LSTM =
      new SequenceClassifier.Config(64, 256, 2, 10);

  /** All of them, in the order in which they are timed. */
  static List<TimedNetwork> all() {
    return Stream.of(
            zoo("lenet5", 128, true, 0.01, LossAgreement.USUAL),
            zoo("mlp", 128, false, 0.01, LossAgreement.USUAL),
            zoo("resnet20", 128, true, 0.01, LossAgreement.USUAL),
            zoo("resnet50", 16, true, 1e-5, LossAgreement.OF_FIFTY_LAYERS),
            new TimedNetwork(
                "lstm2x256",
                () -> new SequenceClassifier(LSTM),
                TensorSpec.of(DType.FP32, 64, LSTM.inputs()),
                32,
                false,
                0.01,
                LossAgreement.USUAL),
            new TimedNetwork(
                "encoder4x256",
                EncoderClassifier::new,
                TensorSpec.of(DType.FP32, 128, EncoderClassifier.FEATURES),
                16,
                false,
                0.01,
                LossAgreement.USUAL))
        .toList();
  }

  /** Those that no peer has: with them {@link Growth} sees how cost grows with depth. */
  private static List<TimedNetwork> alone() {
    return List.of(
        zoo("resnet14", 128, true, 0.01, LossAgreement.USUAL),
        zoo("resnet56", 128, true, 0.01, LossAgreement.USUAL));
  }

  private static TimedNetwork zoo(
      String name, int batch, boolean convolves, double learningRate, LossAgreement agreement) {
    NetworkDefinition definition = Networks.named(name);
    return new TimedNetwork(
        name, definition::build, definition.sample(), batch, convolves, learningRate, agreement);
  }

  /** The one of this name, the peers' or not. */
  static TimedNetwork named(String name) {
    return of(name, Stream.concat(all().stream(), alone().stream()).toList());
  }

  /** The one of this name that the peers have too. */
  static TimedNetwork compared(String name) {
    return of(name, all());
  }

  private static TimedNetwork of(String name, List<TimedNetwork> all) {
    return all.stream()
        .filter(network -> network.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new ArgumentException(
                    "--network",
                    "one of " + String.join(", ", all.stream().map(TimedNetwork::name).toList()),
                    name));
  }
}
