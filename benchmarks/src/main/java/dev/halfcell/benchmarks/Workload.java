package dev.halfcell.benchmarks;

import dev.halfcell.amp.Amp;
import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.backend.Variable;
import dev.halfcell.data.Batch;
import dev.halfcell.nn.Cell;
import dev.halfcell.optim.Momentum;
import dev.halfcell.optim.Optimizer;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.TrainState;
import dev.halfcell.zoo.NetworkDefinition;
import dev.halfcell.zoo.Networks;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * What every contender computes: steps of one network on one batch, which is given, from the same
 * start values.
 *
 * @param network its name in the zoo
 * @param batch samples in a step
 */
record Workload(String network, int batch) {
  private static final long SEED = 1;
  private static final int CLASSES = 10;

  private Cell net() {
    return definition().withLoss();
  }

  private static Optimizer optimizer() {
    return new Momentum(0.01, 0.9);
  }

  private NetworkDefinition definition() {
    return Networks.named(network);
  }

  /**
   * Writes what the others start from as little-endian FP32: the parameters in the network's order,
   * the batch, its labels.
   */
  void writeStart(Path file) throws IOException {
    try (TensorScope scope = TensorScope.open();
        TrainState state = TrainState.of(net(), optimizer(), SEED);
        OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
      for (Map.Entry<Variable, Tensor> value : state.values().entrySet()) {
        if (value.getKey().kind() == Variable.Kind.PARAMETER) {
          write(value.getValue(), out);
        }
      }
      for (Tensor input : data(scope).inputs()) {
        write(input, out);
      }
    }
  }

  private static void write(Tensor tensor, OutputStream out) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (double element : tensor.toArray()) {
      out.write(bytes.putFloat(0, (float) element).array());
    }
  }

  /** HalfCell's train cell for it, from the start values. */
  TrainStepCell train(Level level, AmpOptions options) {
    return Amp.buildTrainNetwork(net(), optimizer(), level, options.seed(SEED));
  }

  /** Normally distributed data, labels of the first ten classes. */
  Batch data(TensorScope scope) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(SEED);
    TensorSpec sample = definition().sample();
    Tensor images = scope.allocate(new TensorSpec(sample.dtype(), sample.shape().behind(batch)));
    for (long i = 0; i < images.spec().size(); i++) {
      images.data().setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) random.nextGaussian());
    }
    Tensor labels = scope.allocate(TensorSpec.of(DType.INT64, batch));
    Tensor samples = scope.allocate(TensorSpec.of(DType.INT64, batch));
    for (int row = 0; row < batch; row++) {
      labels.data().setAtIndex(ValueLayout.JAVA_LONG, row, random.nextInt(CLASSES));
      samples.data().setAtIndex(ValueLayout.JAVA_LONG, row, row);
    }
    return new Batch(List.of(images, labels), samples);
  }
}
