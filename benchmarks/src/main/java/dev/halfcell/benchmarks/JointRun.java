package dev.halfcell.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * HalfCell's and PyTorch's times on one GPU, network by network.
 *
 * @param device the GPU's name
 * @param driver its version
 * @param commit of HalfCell
 * @param check what the tests on this GPU gave before
 * @param versions of what computed, by name
 * @param rows of each network HalfCell's, then PyTorch's
 */
record JointRun(
    String device,
    String driver,
    String commit,
    String check,
    Map<String, String> versions,
    List<JointRow> rows) {
  JointRun {
    versions = new TreeMap<>(versions);
    rows = List.copyOf(rows);
  }

  /**
   * Joins both.
   *
   * @throws MeasurementException where they are of different devices
   */
  static JointRun of(LevelRun halfcell, Optional<TorchRun> torch) {
    torch.ifPresent(run -> requireOneDevice(halfcell, run));
    Map<String, String> versions = new TreeMap<>(halfcell.versions());
    torch.ifPresent(run -> versions.put("torch", run.torch()));
    torch.ifPresent(run -> versions.put("torch's cuda", run.cuda()));
    return new JointRun(
        halfcell.device(),
        halfcell.driver(),
        halfcell.commit(),
        halfcell.check(),
        versions,
        new Joining(halfcell.rows(), torch.map(TorchRun::rows).orElse(List.of())).rows());
  }

  /** Where HalfCell never came to open the GPU, it has no times, and could not tell its name. */
  private static void requireOneDevice(LevelRun halfcell, TorchRun torch) {
    boolean timed = halfcell.rows().stream().anyMatch(row -> row.medianMs().isPresent());
    if (timed && !halfcell.device().equals(torch.device())) {
      throw new MeasurementException(
          String.format(
              "pytorch.json is of %s, halfcell.json of %s: times of different devices are not"
                  + " compared. Measure both on one, or take pytorch.json away.",
              torch.device(), halfcell.device()));
    }
  }

  /** Writes it over an older one. */
  Path write(Path folder) throws IOException {
    return Json.write(folder, "joint.json", this);
  }
}
