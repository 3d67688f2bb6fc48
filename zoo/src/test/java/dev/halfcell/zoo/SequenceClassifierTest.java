package dev.halfcell.zoo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.Amp;
import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Backends;
import dev.halfcell.data.Batch;
import dev.halfcell.data.BatchCursor;
import dev.halfcell.data.Sampler;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.optim.Momentum;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SequenceClassifierTest {
  private static final NetworkDefinition NETWORK = Networks.named("lstm");
  private static final int STEPS = 60;

  @ParameterizedTest
  @CsvSource({"O0, FP16", "O1, FP16", "O1, BF16", "O2, FP16", "O2, BF16", "O3, FP16", "O3, BF16"})
  void learnsOneBatchByHeart(Level level, DType half) {
    AmpOptions options = AmpOptions.defaults().half(half).lossScale(LossScale.dynamic().from(1024));
    try (Backend backend = Backends.open("cpu");
        TrainStepCell train =
            Amp.buildTrainNetwork(
                NETWORK.build(),
                new SoftmaxCrossEntropyLoss(),
                new Momentum(0.1, 0.9),
                level,
                options.backend(backend));
        BatchCursor cursor =
            new BatchCursor(
                NETWORK.openData(Optional.of("embedded")).train(), new Sampler.InOrder(), 16)) {
      Batch batch = cursor.next();
      double first = train.run(batch).loss();
      double last = first;
      for (int step = 1; step < STEPS; step++) {
        last = train.run(batch).loss();
      }
      assertEquals(Math.log(10), first, 0.3, "a guess among ten classes");
      assertTrue(last < 0.1, "loss " + last + " after " + STEPS + " steps from " + first);
    }
  }

  @Test
  void sizesAreChecked() {
    assertThrows(ArgumentException.class, () -> new SequenceClassifier.Config(28, 0, 1, 10));
    assertEquals(
        "at least 1",
        assertThrows(ArgumentException.class, () -> new SequenceClassifier.Config(28, 128, 0, 10))
            .problem()
            .expected()
            .replaceAll(".*of ", ""));
  }
}
