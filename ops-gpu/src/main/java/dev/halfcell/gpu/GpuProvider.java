package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.BackendProvider;
import dev.halfcell.tensor.HalfCellException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Makes the GPU backend known to {@link java.util.ServiceLoader}. Loads nothing by itself. */
public final class GpuProvider implements BackendProvider {
  /** The file that is taken for the driver instead of the system's {@code libcuda.so.1}. */
  public static final String DRIVER = "halfcell.gpu.driver";

  @Override
  public String name() {
    return GpuBackend.NAME;
  }

  /** Only by name, until it computes every op. */
  @Override
  public int preference() {
    return -1;
  }

  /** The GPU computes; one thread of the host tells it what. */
  @Override
  public int threads() {
    return 1;
  }

  @Override
  public Backend open(int threads) {
    return GpuBackend.open(driver());
  }

  private static Optional<Path> driver() {
    return Optional.ofNullable(System.getProperty(DRIVER)).map(Path::of);
  }

  @Override
  public List<String> diagnose() {
    try (GpuBackend backend = GpuBackend.open(driver())) {
      return backend.facts();
    } catch (HalfCellException e) {
      return List.of(e.getMessage());
    }
  }
}
