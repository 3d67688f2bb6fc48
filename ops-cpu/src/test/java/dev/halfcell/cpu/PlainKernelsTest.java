package dev.halfcell.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.tensor.DType;
import dev.halfcell.testkit.OpCase;
import dev.halfcell.testkit.OpCases;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Halves are not left to oneDNN's plain code where FP32 is not: there they would take tens of times
 * as long. CPUs differ in what oneDNN has kernels for; this is about the one at hand.
 */
final class PlainKernelsTest {
  /** One alone, or one of several that a task runs. */
  private static final Pattern PLAIN = Pattern.compile("(^|.*\\+)ref[:_].*");

  @Test
  void noOpIsPlainInHalfThatIsNotInFp32() {
    Set<String> left = new TreeSet<>();
    int compared = 0;
    try (CpuBackend backend = CpuBackend.open(2)) {
      for (OpCase each : OpCases.all(1)) {
        for (DType dtype : each.dtypes()) {
          List<String> kernels = dtype.half() ? ChosenKernels.of(backend, each, dtype) : List.of();
          compared += kernels.size();
          if (plain(kernels) && !plain(ChosenKernels.of(backend, each, DType.FP32))) {
            left.add(each.op() + " of " + each.specs(dtype) + " in " + dtype.label());
          }
        }
      }
    }
    assertTrue(compared > 100, compared + " kernels of halves");
    assertEquals(Set.of(), left);
  }

  private static boolean plain(List<String> kernels) {
    return kernels.stream().anyMatch(kernel -> PLAIN.matcher(kernel).matches());
  }
}
