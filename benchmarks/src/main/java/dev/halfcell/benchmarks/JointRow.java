package dev.halfcell.benchmarks;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * HalfCell or PyTorch on a network, beside what it is compared with.
 *
 * @param name who computes
 * @param half what in; none where all is FP32
 * @param layout of images, of PyTorch where it has any
 * @param medianMs the median time of a step, in milliseconds, if none failed
 * @param overEager that of PyTorch's eager AMP in the same half over this one: more than 1 is
 *     faster
 * @param overCompiled the same of PyTorch's fastest compiled step in the same half
 * @param error why there is no time, in a line
 */
record JointRow(
    String network,
    int batch,
    String name,
    Optional<String> half,
    Optional<String> layout,
    OptionalDouble medianMs,
    OptionalDouble overEager,
    OptionalDouble overCompiled,
    Optional<String> error) {
  /** What it computes. */
  Workload workload() {
    return new Workload(network, batch);
  }
}
