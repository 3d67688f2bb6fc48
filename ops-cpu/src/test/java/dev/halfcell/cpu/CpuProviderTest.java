package dev.halfcell.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.TrainOneStepWithLossScaleCell;
import dev.halfcell.amp.scale.DynamicLossScaleUpdateCell;
import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Backends;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.MSELoss;
import dev.halfcell.nn.WithLossCell;
import dev.halfcell.optim.Sgd;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How the backend is found, and what it says about the machine. */
final class CpuProviderTest {
  @Test
  void isFoundByNameAndPreferred() {
    try (Backend named = Backends.open("cpu");
        Backend preferred = Backends.open("auto")) {
      assertEquals("cpu", named.name());
      assertEquals("cpu", preferred.name());
    }
  }

  @Test
  void computesWithAsManyThreadsAsAreAskedFor() {
    int processors = Runtime.getRuntime().availableProcessors();
    try (Backend all = Backends.open("cpu");
        Backend one = Backends.open("cpu", 1)) {
      assertEquals(processors, all.threads());
      assertEquals(1, one.threads());
    }
    for (int impossible : List.of(0, processors + 1)) {
      var refused =
          assertThrows(ArgumentException.class, () -> Backends.open("cpu", impossible).close());
      assertEquals("threads", refused.problem().subject());
    }
  }

  @Test
  void theReferenceBackendHasOneThread() {
    assertEquals(1, Backends.open("reference", 1).threads());
    var refused = assertThrows(ArgumentException.class, () -> Backends.open("reference", 2));
    assertEquals("1, which device reference has here", refused.problem().expected());
  }

  @Test
  void saysWhatEachDtypeIsHere() {
    List<String> facts = new CpuProvider().diagnose();
    assertTrue(facts.getFirst().matches("oneDNN 3\\.\\d+\\.\\d+, using .+"), facts.toString());
    try (CpuBackend backend = CpuBackend.open(1)) {
      for (DType dtype : List.of(DType.FP32, DType.BF16, DType.FP16)) {
        boolean computes = backend.capabilities().computes().contains(dtype);
        boolean all = computes && backend.convolutions().contains(dtype);
        String some = computes ? "computes, but convolutions in fp32" : "storage only";
        String line = dtype.label() + ": " + (all ? "computes" : some);
        assertTrue(facts.contains(line), facts.toString());
      }
      assertTrue(backend.capabilities().computes().contains(DType.FP32));
    }
  }

  /** MindSpore's constructor has no place for a backend. */
  @Test
  void isWhatATrainCellTakesThatIsMadeWithAnUpdateCell() {
    var cell = new DynamicLossScaleUpdateCell(64, 2, 1);
    var net = new WithLossCell(new Dense(1, 1), new MSELoss());
    try (TensorScope scope = TensorScope.open();
        var train = new TrainOneStepWithLossScaleCell(net, new Sgd(0.1), cell)) {
      Tensor x = Tensor.of(scope, TensorSpec.of(DType.FP32, 1, 1), 1);
      assertEquals("cpu", train.backend().name());
      assertEquals(128, train.run(x, x).nextScale());
    }
  }
}
