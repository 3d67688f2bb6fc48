package dev.halfcell.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.backend.Backend;
import dev.halfcell.gpu.driver.EmulatedGpu;
import dev.halfcell.tensor.DType;
import dev.halfcell.testkit.OpCase;
import dev.halfcell.testkit.OpCases;
import dev.halfcell.testkit.OpContract;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Every op that the GPU backend computes, and the refusals of the others. */
final class GpuOpContractTest extends OpContract {
  private final EmulatedGpu rig = EmulatedGpu.build();

  @Override
  protected Backend open() {
    rig.recover();
    return GpuBackend.open(Optional.of(rig.library()), Optional.of(List.of()));
  }

  @Test
  void theOpsThatItComputesAreKnown() {
    TreeSet<String> offered = new TreeSet<>();
    try (Backend backend = open()) {
      for (OpCase each : OpCases.all(1)) {
        if (backend.offers(each.op(), each.specs(DType.FP32))) {
          offered.add(each.op().getClass().getSimpleName());
        }
      }
    }
    // CellOutput and Reshape are left out of plans.
    assertEquals(
        "[Accumulate, AdagradRule, AdamRule, Add, Cast, CellOutput, ClipByNorm,"
            + " ClipByValue, CountFinite, CountRefused, Dropout, GradientCheck, Hopeful,"
            + " Increment, LambRule, LargestMagnitude, LarsRule, LearningRate, MatMul,"
            + " MomentumRule, Relu, ReluGradient, Reshape, Restart, RmsPropRule, RowsRule,"
            + " ScaleUpdate, SgdRule, SoftmaxCrossEntropy, SoftmaxCrossEntropyGradient,"
            + " StochasticCast, Unscale, WindowClean, WindowScale, WindowStatistic]",
        offered.toString());
  }
}
