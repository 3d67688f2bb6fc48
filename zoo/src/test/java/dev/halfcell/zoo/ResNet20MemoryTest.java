package dev.halfcell.zoo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.Amp;
import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Backends;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.optim.Momentum;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What ResNet-20's forward pass keeps for its backward pass, against the count by hand: of each
 * convolution its input, of each normalisation its input, of each ReLU its output, which is the
 * next convolution's input.
 */
class ResNet20MemoryTest {
  private static final int BATCH = 4;
  private static final int IMAGE = 3 * 32 * 32;
  private static final int FULL = 16 * 32 * 32;
  private static final int HALVED = 32 * 16 * 16;
  private static final int QUARTERED = 64 * 8 * 8;

  /** Of a block: what two convolutions yield, and two ReLUs; of a projection one more. */
  private static final int BLOCK = 4;

  private static final int STAGE1 = (2 + 3 * BLOCK) * FULL;
  private static final int STAGE2 = (3 * BLOCK + 1) * HALVED;
  private static final int STAGE3 = (3 * BLOCK + 1) * QUARTERED;
  private static final int DENSE = 64 + 10;
  private static final int ANALYTIC = IMAGE + STAGE1 + STAGE2 + STAGE3 + DENSE;

  @Test
  void theCountByHand() {
    assertEquals(392_266, ANALYTIC);
  }

  /** Op after op, all of it but the bound batch is kept, and two statistics for each channel. */
  @Test
  void theReferenceKeepsJustWhatTheGradientsRead() {
    long statistics = 2 * 4 * 7 * (16 + 32 + 64);
    long loss = 4;
    assertEquals(4L * (ANALYTIC - IMAGE) * BATCH + statistics + loss, kept("reference", Level.O0));
  }

  @Test
  void theCpuKeepsHalfOfItInHalf() {
    long analyticBytes = 4L * ANALYTIC * BATCH;
    long full = kept("cpu", Level.O0);
    long half = kept("cpu", Level.O2);
    assertTrue(full <= 1.05 * analyticBytes, full + " of " + analyticBytes + " bytes");
    assertTrue(half <= 0.65 * analyticBytes, half + " of " + analyticBytes + " bytes");
  }

  private static long kept(String device, Level level) {
    List<TensorSpec> signature =
        List.of(
            TensorSpec.of(DType.FP32, BATCH, 3, 32, 32),
            TensorSpec.of(DType.INT64, BATCH),
            TensorSpec.of(DType.INT64, BATCH));
    try (Backend backend = Backends.open(device);
        TrainStepCell train =
            Amp.buildTrainNetwork(
                Networks.named("resnet20").build(),
                new SoftmaxCrossEntropyLoss(),
                new Momentum(0.01, 0.9),
                level,
                AmpOptions.defaults().backend(backend))) {
      return train.loop().report(signature).activationBytes();
    }
  }
}
