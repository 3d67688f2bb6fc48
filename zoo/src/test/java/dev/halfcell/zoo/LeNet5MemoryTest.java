package dev.halfcell.zoo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.Amp;
import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Backends;
import dev.halfcell.backend.PlanReport;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.optim.Momentum;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What LeNet-5's forward pass keeps for its backward pass, against the count by hand: the elements
 * that minimal gradients read, 4 bytes each.
 */
class LeNet5MemoryTest {
  private static final int BATCH = 64;
  private static final int IMAGE = 32 * 32;
  private static final int RELU1 = 6 * 28 * 28;
  private static final int POOL1 = 6 * 14 * 14;
  private static final int RELU2 = 16 * 10 * 10;
  private static final int POOL2 = 16 * 5 * 5;
  private static final int DENSE = 120 + 84 + 10;
  private static final int ANALYTIC = IMAGE + RELU1 + POOL1 + RELU2 + POOL2 + DENSE;
  private static final long ANALYTIC_BYTES = 4L * ANALYTIC * BATCH;

  @Test
  void theCountByHand() {
    assertEquals(9_118, ANALYTIC);
  }

  /**
   * Op after op, all of it but the bound batch is kept, and a byte for the position of each
   * maximum.
   */
  @Test
  void theReferenceKeepsJustWhatTheGradientsRead() {
    long loss = 4;
    long expected = 4L * (ANALYTIC - IMAGE) * BATCH + (POOL1 + POOL2) * (long) BATCH + loss;
    assertEquals(expected, report("reference", Level.O0, DType.FP16).activationBytes());
  }

  @ParameterizedTest
  @CsvSource({
    "O0, FP16, 1.05",
    "O1, FP16, 0.65",
    "O2, FP16, 0.65",
    "O2, BF16, 0.65",
    "O3, BF16, 0.65"
  })
  void theCpuKeepsNoMoreThanItsShare(Level level, DType half, double share) {
    long boundBatch = 4L * IMAGE * BATCH;
    long kept = report("cpu", level, half).activationBytes() + boundBatch;
    assertTrue(kept <= share * ANALYTIC_BYTES, kept + " of " + ANALYTIC_BYTES + " bytes");
    assertTrue(kept - boundBatch >= 0.1 * ANALYTIC_BYTES, "too little to be true: " + kept);
  }

  private static PlanReport report(String device, Level level, DType half) {
    List<TensorSpec> signature =
        List.of(
            TensorSpec.of(DType.FP32, BATCH, 1, 32, 32),
            TensorSpec.of(DType.INT64, BATCH),
            TensorSpec.of(DType.INT64, BATCH));
    try (Backend backend = Backends.open(device);
        TrainStepCell train =
            Amp.buildTrainNetwork(
                new LeNet5(),
                new SoftmaxCrossEntropyLoss(),
                new Momentum(0.01, 0.9),
                level,
                AmpOptions.defaults().backend(backend).half(half))) {
      return train.loop().report(signature);
    }
  }
}
