package dev.halfcell.benchmarks;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

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

  private static void assertNext(double[] expected, FloatBuffer written) {
    double[] next = new double[expected.length];
    for (int i = 0; i < next.length; i++) {
      next[i] = written.get();
    }
    assertArrayEquals(expected, next);
  }
}
