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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every op that the GPU backend computes, and the refusals of the others. */
@Tag("rig")
final class GpuOpContractTest extends OpContract {
  private final EmulatedGpu rig = EmulatedGpu.build();

  @Override
  protected Backend open() {
    rig.recover();
    return GpuBackend.open(Optional.of(rig.library()), Optional.of(List.of()));
  }

  @Test
  void theOpsThatItRefusesAreKnown() {
    TreeSet<String> refused = new TreeSet<>();
    try (Backend backend = open()) {
      for (OpCase each : OpCases.all(1)) {
        if (!backend.offers(each.op(), each.specs(DType.FP32))) {
          refused.add(each.op().label());
        }
      }
    }
    // The last two are functions of Java.
    assertEquals("[AllReduce, product, product gradient]", refused.toString());
  }
}
