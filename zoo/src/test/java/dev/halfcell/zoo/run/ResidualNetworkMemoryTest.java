package dev.halfcell.zoo.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.PlanReport;
import dev.halfcell.zoo.job.JobSpecification;
import org.junit.jupiter.api.Test;

/**
 * What plans of residual networks on the CPU keep and take, against what the backward pass reads at
 * the least: of each convolution its input, of each normalisation its input, of each ReLU its
 * output, of a pooling where its maxima were.
 */
class ResidualNetworkMemoryTest {
  /** Elements of a sample of ResNet-20, as counted in {@code ResNet20MemoryTest}. */
  private static final long RESNET20 = 392_266;

  private static final int[] BLOCKS = {3, 4, 6, 3};

  /**
   * Elements of a sample of ResNet-50: the image, the first convolution's output and its ReLU's,
   * the pooling's indices and its output, the blocks, the average and the logits. A block's first
   * convolution works at the size that it gets, the second halves it.
   */
  private static long resnet50() {
    long sum = 3 * 224 * 224 + 2L * 64 * 112 * 112 + 2L * 64 * 56 * 56 + 2048 + 1000;
    int before = 56;
    for (int stage = 0; stage < BLOCKS.length; stage++) {
      int side = 56 >> stage;
      int channels = 64 << stage;
      for (int block = 0; block < BLOCKS[stage]; block++) {
        sum += 2L * channels * before * before; // first convolution, ReLU
        sum += 2L * channels * side * side; // second convolution, ReLU
        sum += (block == 0 ? 3L : 2L) * 4 * channels * side * side; // third, projection, ReLU
        before = side;
      }
    }
    return sum;
  }

  private static PlanReport.Memory memory(String network, int batch, String level, String half) {
    JobSpecification job =
        JobSpecification.of(network)
            .with("/precision/level", level)
            .with("/precision/half", half)
            .with("/device", "cpu")
            .with("/training/batchSize", batch)
            .resolved();
    try (Backend backend = TrainingJob.openBackend(job)) {
      return TrainingJob.of(job, backend, 60_000).planned().orElseThrow().memory();
    }
  }

  @Test
  void resNet20() {
    require("resnet20", 128, 4 * RESNET20 * 128);
  }

  @Test
  void resNet50() {
    assertEquals(21_277_672, resnet50());
    require("resnet50", 16, 4 * resnet50() * 16);
  }

  private static void require(String network, int batch, long analytic) {
    PlanReport.Memory full = memory(network, batch, "O0", "fp16");
    requireAtMost(1.05, full.activations(), analytic, network + " keeps at O0");
    requireAtMost(1.15, full.peak(), full.bound().orElseThrow(), network + " takes at O0");
    for (String half : new String[] {"fp16", "bf16"}) {
      PlanReport.Memory plan = memory(network, batch, "O2", half);
      String at = " at O2 in " + half;
      requireAtMost(0.55, plan.activations(), analytic, network + " keeps" + at);
      requireAtMost(1.15, plan.peak(), plan.bound().orElseThrow(), network + " takes" + at);
      requireAtMost(0.75, plan.peak(), full.peak(), network + " takes, beside O0," + at);
    }
  }

  private static void requireAtMost(double share, long bytes, long of, String what) {
    assertTrue(
        bytes <= share * of,
        () -> "%s %d of %d bytes (%.3f)".formatted(what, bytes, of, 1.0 * bytes / of));
  }
}
