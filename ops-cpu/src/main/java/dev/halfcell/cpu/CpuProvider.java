package dev.halfcell.cpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.BackendProvider;
import dev.halfcell.cpu.kernel.VectorModule;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.HalfCellException;
import java.util.ArrayList;
import java.util.List;

/** Makes the CPU backend known to {@link java.util.ServiceLoader}. Loads nothing by itself. */
public final class CpuProvider implements BackendProvider {
  @Override
  public String name() {
    return CpuBackend.NAME;
  }

  @Override
  public int preference() {
    return 10;
  }

  @Override
  public int threads() {
    return Runtime.getRuntime().availableProcessors();
  }

  @Override
  public Backend open(int threads) {
    return CpuBackend.open(threads);
  }

  private static String computed(CpuBackend backend, DType dtype) {
    if (backend.convolutions().contains(dtype)) {
      return "computes";
    }
    return backend.capabilities().computes().contains(dtype)
        ? "computes, but convolutions in fp32"
        : "storage only";
  }

  @Override
  public List<String> diagnose() {
    try (CpuBackend backend = CpuBackend.open(1)) {
      List<String> facts = new ArrayList<>();
      facts.add("oneDNN " + backend.versions().get("onednn") + ", using " + backend.isa());
      facts.add(threads() + " threads");
      facts.add(
          VectorModule.obstacle()
              .map(obstacle -> "loops over arrays: " + obstacle)
              .orElse("loops in vectors (" + VectorModule.NAME + ")"));
      for (DType dtype : List.of(DType.FP32, DType.BF16, DType.FP16)) {
        facts.add(dtype.label() + ": " + computed(backend, dtype));
      }
      return List.copyOf(facts);
    } catch (HalfCellException e) {
      return List.of(e.getMessage());
    }
  }
}
