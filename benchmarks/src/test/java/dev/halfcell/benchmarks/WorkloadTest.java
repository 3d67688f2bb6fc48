package dev.halfcell.benchmarks;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Backends;
import dev.halfcell.backend.Variable;
import dev.halfcell.tensor.TensorScope;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class WorkloadTest {
  private static final int BATCH = 3;
  private static final int PARAMETERS = 61_706;

  private final Workload workload = new Workload("lenet5", BATCH);

  @TempDir Path folder;

  @Test
  void othersStartFromTheValuesOfTheTrainCellAndFromItsBatch() throws IOException {
    Path file = folder.resolve("start.bin");
    workload.writeStart(file);
    FloatBuffer written =
        ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer();
    assertEquals(PARAMETERS + BATCH * (32 * 32 + 1), written.remaining());
    try (Backend backend = Backends.open("reference");
        TrainStepCell train = workload.train(Level.O0, AmpOptions.defaults().backend(backend));
        TensorScope scope = TensorScope.open()) {
      train.state().values().entrySet().stream()
          .filter(value -> value.getKey().kind() == Variable.Kind.PARAMETER)
          .forEach(value -> assertNext(value.getValue().toArray(), written));
      workload.data(scope).inputs().forEach(input -> assertNext(input.toArray(), written));
    }
  }

  /** A convolution of 5 x 5 on 1 and on 6 channels and three products; data has no gradient. */
  @Test
  void flopsOfLeNet5() {
    long first = 28 * 28 * 6 * 25;
    long others = 10 * 10 * 16 * 6 * 25 + 400 * 120 + 120 * 84 + 84 * 10;
    assertEquals(2 * BATCH * (2 * first + 3 * others), workload.flops());
  }

  @Test
  void flopsOfTheMlp() {
    long first = 784 * 1024;
    long others = 1024 * 1024 + 1024 * 10;
    assertEquals(2 * 128 * (2 * first + 3 * others), new Workload("mlp", 128).flops());
  }

  /** Three stages of six convolutions of 3 x 3, two of which have a shortcut of 1 x 1. */
  @Test
  void flopsOfResNet20() {
    long first = 32 * 32 * 16 * 3 * 9;
    long stage1 = 6 * 32 * 32 * 16 * 16 * 9;
    long stage2 = 16 * 16 * (16 * 32 * 9 + 5 * 32 * 32 * 9 + 16 * 32);
    long stage3 = 8 * 8 * (32 * 64 * 9 + 5 * 64 * 64 * 9 + 32 * 64);
    long others = stage1 + stage2 + stage3 + 64 * 10;
    assertEquals(2 * (2 * first + 3 * others), new Workload("resnet20", 1).flops());
  }

  @ParameterizedTest
  @ValueSource(strings = {"lstm2x256", "encoder4x256"})
  void aNetworkOfSequencesTakesItsSamples(String name) throws IOException {
    Workload sequences = new Workload(name, 2);
    assertTrue(sequences.flops() > 0);
    Path file = folder.resolve("sequences.bin");
    sequences.writeStart(file);
    long sample = TimedNetwork.named(name).sample().shape().size();
    long parameters = name.equals("lstm2x256") ? 858_634 : 3_162_122;
    assertEquals(Float.BYTES * (parameters + 2 * (sample + 1)), Files.size(file));
  }

  private static void assertNext(double[] expected, FloatBuffer written) {
    double[] next = new double[expected.length];
    for (int i = 0; i < next.length; i++) {
      next[i] = written.get();
    }
    assertArrayEquals(expected, next);
  }
}
