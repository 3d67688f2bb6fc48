package dev.halfcell.benchmarks;

import dev.halfcell.amp.Amp;
import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Backends;
import dev.halfcell.backend.Variable;
import dev.halfcell.data.Batch;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.WithLossCell;
import dev.halfcell.optim.Momentum;
import dev.halfcell.optim.Optimizer;
import dev.halfcell.plan.Arithmetic;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.TrainState;
import dev.halfcell.zoo.NetworkDefinition;
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
 * @param network the name of a {@link TimedNetwork}
 * @param batch samples in a step
 */
record Workload(String network, int batch) {
  private static final long SEED = 1;
  private static final int CLASSES = 10;

  Workload {
    ArgumentException.require(batch >= 1, "batch size", "1 or more", batch);
  }

  private Cell net() {
    return new WithLossCell(timed().network().get(), NetworkDefinition.loss());
  }

  private Optimizer optimizer() {
    return new Momentum(timed().learningRate(), 0.9);
  }

  private TimedNetwork timed() {
    return TimedNetwork.named(network);
  }

  /**
   * Writes what the others start from as little-endian FP32: the parameters in the network's order,
   * the batch, its labels.
   */
  void writeStart(Path file) throws IOException {
    try (TensorScope scope = TensorScope.open();
        TrainState state = TrainState.of(net(), optimizer(), SEED);
        OutputStream out = Files.newOutputStream(file)) {
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
    double[] elements = tensor.toArray();
    ByteBuffer bytes =
        ByteBuffer.allocate(elements.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (double element : elements) {
      bytes.putFloat((float) element);
    }
    out.write(bytes.array());
  }

  /**
   * The floating-point operations of a step, forward and backward: two for each multiply-add of
   * products and convolutions, none for all else. Recorded, not run.
   */
  long flops() {
    try (Backend backend = Backends.open("reference");
        TrainStepCell train = train(Level.O0, AmpOptions.defaults().backend(backend));
        TensorScope scope = TensorScope.open()) {
      return Arithmetic.flops(train.loop().trace(data(scope).signature()));
    }
  }

  private TensorSpec batch(TensorSpec sample) {
    return new TensorSpec(sample.dtype(), sample.shape().behind(batch));
  }

  /** HalfCell's train cell for it, from the start values. */
  TrainStepCell train(Level level, AmpOptions options) {
    return Amp.buildTrainNetwork(net(), optimizer(), level, options.seed(SEED));
  }

  /** Normally distributed data, labels of the first ten classes. */
  Batch data(TensorScope scope) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(SEED);
    Tensor images = scope.allocate(batch(timed().sample()));
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
