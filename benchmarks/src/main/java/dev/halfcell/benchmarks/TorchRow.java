package dev.halfcell.benchmarks;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * PyTorch on one network, as {@code baselines.py} writes it.
 *
 * @param mode how its steps are taken: {@code amp} is eager, {@code compile} and {@code
 *     reduce-overhead} are compiled
 * @param half what autocast computes in: {@code fp16} or {@code bf16}; none where all is FP32
 * @param layout of images, where it has any
 * @param ms the median time of a step, in milliseconds, if none failed
 * @param error why there is none
 */
record TorchRow(
    String network,
    int batch,
    String mode,
    Optional<String> half,
    Optional<String> layout,
    OptionalDouble ms,
    Optional<String> error) {
  /** Whether it is AMP as it comes: what HalfCell's halves are compared with. */
  boolean eager() {
    return mode.equals("amp");
  }

  /** Whether {@code torch.compile} made its steps. */
  boolean compiled() {
    return mode.equals("compile") || mode.equals("reduce-overhead");
  }

  /** Who computes; rows of one name differ in layout. */
  String name() {
    return "PyTorch " + mode + half.map(each -> " " + each).orElse("");
  }

  /** What it computes. */
  Workload workload() {
    return new Workload(network, batch);
  }
}
