package dev.halfcell.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * PyTorch's times on a GPU, of what {@code baselines.py} writes that which is compared.
 *
 * @param device the GPU's name
 * @param driver its version
 * @param torch the version of PyTorch
 * @param cuda that of CUDA it was built with
 */
record TorchRun(String device, String driver, String torch, String cuda, List<TorchRow> rows) {
  private static final String FILE = "pytorch.json";

  TorchRun {
    rows = List.copyOf(rows);
  }

  /** The one that lies in the folder, if one does. */
  static Optional<TorchRun> read(Path folder) throws IOException {
    Path file = folder.resolve(FILE);
    return Files.exists(file) ? Optional.of(Json.read(file, TorchRun.class)) : Optional.empty();
  }
}
