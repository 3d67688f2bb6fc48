package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Op;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** The machine's own GPU with what libraries of NVIDIA there are, and with own kernels alone. */
final class LibrariesBesideOwn implements AutoCloseable {
  private final TensorScope scope = TensorScope.open();
  private final Random random = new Random(5);
  private final GpuBackend libraries = TestedGpu.libraries();
  private final GpuBackend own = TestedGpu.own();

  /** What is told of a library by whom it begins with. */
  String fact(String beginning) {
    return libraries.facts().stream()
        .filter(fact -> fact.startsWith(beginning))
        .findFirst()
        .orElseThrow();
  }

  Tensor drawn(TensorSpec spec) {
    double[] values = new double[Math.toIntExact(spec.size())];
    Arrays.setAll(values, _ -> random.nextGaussian() / 3);
    return Tensor.of(scope, spec, values);
  }

  /** What the libraries make of an op. */
  double[] computed(Op op, Tensor... in) {
    return computed(libraries, op, in);
  }

  private double[] computed(Backend backend, Op op, Tensor... in) {
    return backend.eager(scope).execute(op, List.of(in), CellPath.ROOT).getFirst().toArray();
  }

  /** The norm of the difference to own kernels over the norm of what those compute. */
  double error(Op op, Tensor... in) {
    double[] got = computed(op, in);
    double[] expected = computed(own, op, in);
    double difference = 0;
    double norm = 0;
    for (int i = 0; i < expected.length; i++) {
      difference += (got[i] - expected[i]) * (got[i] - expected[i]);
      norm += expected[i] * expected[i];
    }
    return Math.sqrt(difference / norm);
  }

  /** The most that sums in FP32, rounded once to a dtype, may be off. */
  static double bound(DType out) {
    return switch (out) {
      case FP16 -> 1e-3;
      case BF16 -> 8e-3;
      default -> 1e-5; // with TF32 it would be 1e-3
    };
  }

  @Override
  public void close() {
    libraries.close();
    own.close();
    scope.close();
  }
}
