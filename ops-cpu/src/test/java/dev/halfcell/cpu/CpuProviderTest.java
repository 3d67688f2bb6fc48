package dev.halfcell.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Backends;
import dev.halfcell.tensor.DType;
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
  void saysWhatEachDtypeIsHere() {
    List<String> facts = new CpuProvider().diagnose();
    assertTrue(facts.getFirst().matches("oneDNN 3\\.\\d+\\.\\d+, using .+"), facts.toString());
    try (CpuBackend backend = CpuBackend.open(1)) {
      for (DType dtype : List.of(DType.FP32, DType.BF16, DType.FP16)) {
        boolean computes = backend.capabilities().computes().contains(dtype);
        String line = dtype.label() + ": " + (computes ? "computes" : "storage only");
        assertTrue(facts.contains(line), facts.toString());
      }
      assertTrue(backend.capabilities().computes().contains(DType.FP32));
    }
  }
}
