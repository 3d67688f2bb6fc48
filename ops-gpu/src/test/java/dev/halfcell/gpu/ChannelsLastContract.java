package dev.halfcell.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.amp.Amp;
import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.backend.Backend;
import dev.halfcell.backend.PlannedTask;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.data.Batch;
import dev.halfcell.nn.BatchNorm2d;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Conv2d;
import dev.halfcell.nn.ConvolutionOptions;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.GlobalAvgPool2d;
import dev.halfcell.nn.MaxPool2d;
import dev.halfcell.nn.ReLU;
import dev.halfcell.nn.Residual;
import dev.halfcell.nn.Sequential;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.optim.Momentum;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.StepResult;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A residual network whose images lie with their channels last, on any GPU with cuDNN. */
abstract class ChannelsLastContract {
  private static final int WIDTH = 72; // more than own kernels for small images take
  private static final int ROWS = 3;
  private static final int CLASSES = 10;
  private static final int STEPS = 3;

  /** Opens the GPU that is held to the contract. */
  abstract GpuBackend openBackend();

  private static Conv2d convolution(int in, int out, int kernel, int stride) {
    ConvolutionOptions options = ConvolutionOptions.defaults().stride(stride).noBias();
    return new Conv2d(in, out, kernel, options.padding(kernel / 2));
  }

  private static Cell normalized(int in, int out, int kernel, int stride) {
    return new Sequential(convolution(in, out, kernel, stride), new BatchNorm2d(out));
  }

  /** A stem of one channel and a pooling, which lie row by row, then two residual blocks. */
  private static Cell network() {
    return new Sequential(
        normalized(1, WIDTH, 3, 1),
        new ReLU(),
        new MaxPool2d(2),
        new Residual(
            new Sequential(
                normalized(WIDTH, WIDTH, 1, 1),
                new ReLU(),
                normalized(WIDTH, WIDTH, 3, 1),
                new ReLU(),
                normalized(WIDTH, 2 * WIDTH, 1, 1)),
            normalized(WIDTH, 2 * WIDTH, 1, 1)),
        new ReLU(),
        new Residual(
            new Sequential(
                normalized(2 * WIDTH, WIDTH, 3, 2), new ReLU(), normalized(WIDTH, 2 * WIDTH, 1, 1)),
            normalized(2 * WIDTH, 2 * WIDTH, 1, 2)),
        new ReLU(),
        new GlobalAvgPool2d(),
        new Dense(2 * WIDTH, CLASSES));
  }

  /** Images and channels as own kernels for small images take them, halved once. */
  private static Cell smallNetwork() {
    return new Sequential(
        normalized(1, 16, 3, 1),
        new ReLU(),
        new Residual(
            new Sequential(normalized(16, 32, 3, 2), new ReLU(), normalized(32, 32, 3, 1)),
            normalized(16, 32, 1, 2)),
        new ReLU(),
        new GlobalAvgPool2d(),
        new Dense(32, CLASSES));
  }

  private static TrainStepCell train(Backend backend, DType half) {
    return train(backend, network(), half);
  }

  private static TrainStepCell train(Backend backend, Cell network, DType half) {
    return Amp.buildTrainNetwork(
        network,
        new SoftmaxCrossEntropyLoss(),
        new Momentum(0.05, 0.9),
        Level.O2,
        AmpOptions.defaults().half(half).backend(backend));
  }

  private static Batch batch(TensorScope scope) {
    Random random = new Random(3);
    TensorSpec images = TensorSpec.of(DType.FP32, ROWS, 1, 12, 12);
    double[] pixels = new double[Math.toIntExact(images.size())];
    Arrays.setAll(pixels, _ -> random.nextGaussian());
    Tensor labels = Tensor.of(scope, TensorSpec.of(DType.INT64, ROWS), 3, 7, 1);
    Tensor samples = Tensor.of(scope, TensorSpec.of(DType.INT64, ROWS), 0, 1, 2);
    return new Batch(List.of(Tensor.of(scope, images, pixels), labels), samples);
  }

  /** The losses and norms of three steps. */
  private static double[] steps(Backend backend, DType half, TensorScope scope) {
    try (TrainStepCell train = train(backend, half)) {
      double[] found = new double[2 * STEPS];
      for (int step = 0; step < STEPS; step++) {
        StepResult result = train.run(batch(scope));
        found[2 * step] = result.loss();
        found[2 * step + 1] = result.gradientNorm();
      }
      return found;
    }
  }

  final void assertTrainsAsTheReference(DType half) {
    try (GpuBackend gpu = openBackend();
        Backend reference = new ReferenceBackend();
        TensorScope scope = TensorScope.open()) {
      double[] expected = steps(reference, half, scope);
      double[] got = steps(gpu, half, scope);
      double allowed = half == DType.FP16 ? 0.01 : 0.05;
      for (int i = 0; i < expected.length; i++) {
        assertEquals(expected[i], got[i], allowed * expected[i], "number " + i);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = DType.class,
      names = {"FP16", "BF16"})
  void stepsAreThoseOfTheReference(DType half) {
    assertTrainsAsTheReference(half);
  }

  /**
   * To have their channels last: the pooled image, both weights of 3 x 3, the gradient of the mean.
   * To lie row by row again: what the mean is of, and what pooling's gradient reads.
   */
  @Test
  void imagesAreTurnedOverWhereOthersBeginAlone() {
    try (GpuBackend gpu = openBackend();
        TrainStepCell train = train(gpu, DType.FP16);
        TensorScope scope = TensorScope.open()) {
      assertEquals(6, relayouts(train, scope));
    }
  }

  private static long relayouts(TrainStepCell train, TensorScope scope) {
    return train.loop().report(batch(scope).signature()).schedule().stream()
        .map(PlannedTask::label)
        .filter("Relayout"::equals)
        .count();
  }

  /** Though gradients of its strided convolutions are a library's. */
  @Test
  void aNetworkOfSmallImagesIsNotTurnedOver() {
    try (GpuBackend gpu = openBackend();
        TrainStepCell train = train(gpu, smallNetwork(), DType.FP16);
        TensorScope scope = TensorScope.open()) {
      assertEquals(0, relayouts(train, scope));
    }
  }
}
