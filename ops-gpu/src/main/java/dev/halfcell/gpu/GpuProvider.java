package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.BackendProvider;
import dev.halfcell.tensor.HalfCellException;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Makes the GPU backend known to {@link java.util.ServiceLoader}. Loads nothing by itself. */
public final class GpuProvider implements BackendProvider {
  /** The file that is taken for the driver instead of the system's {@code libcuda.so.1}. */
  public static final String DRIVER = "halfcell.gpu.driver";

  /**
   * The only folders in which libraries of NVIDIA are looked for, with the system's separator
   * between them. Where it is empty none is used, where it is not set all usual places are
   * searched.
   */
  public static final String LIBRARIES = "halfcell.gpu.libraries";

  @Override
  public String name() {
    return GpuBackend.NAME;
  }

  /** Only by name: jobs of a service do not share a GPU's memory yet, and it ran on few GPUs. */
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
    return GpuBackend.open(driver(), libraries());
  }

  private static Optional<Path> driver() {
    return Optional.ofNullable(System.getProperty(DRIVER)).map(Path::of);
  }

  private static Optional<List<Path>> libraries() {
    return Optional.ofNullable(System.getProperty(LIBRARIES))
        .map(
            folders ->
                Stream.of(folders.split(File.pathSeparator, -1))
                    .filter(folder -> !folder.isBlank())
                    .map(Path::of)
                    .toList());
  }

  @Override
  public List<String> diagnose() {
    try (GpuBackend backend = GpuBackend.open(driver(), libraries())) {
      return backend.facts();
    } catch (HalfCellException e) {
      return List.of(e.getMessage());
    }
  }
}
