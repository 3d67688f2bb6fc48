package dev.halfcell.benchmarks;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Backends;
import dev.halfcell.op.linear.MatMul;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.util.Collections;

/** Prints the {@link Peak} of HalfCell's backend: the best of the products of some seconds. */
public final class PeakProcess {
  private static final int SIDE = 1024;
  private static final int MOST = 10_000;
  private static final double OPERATIONS = 2.0 * SIDE * SIDE * SIDE;

  private PeakProcess() {}

  /** Takes DEVICE SECONDS, which each dtype gets. */
  public static void main(String... arguments) {
    try (Backend backend = Backends.open(arguments[0])) {
      double seconds = Double.parseDouble(arguments[1]);
      Peak peak =
          new Peak(
              best(backend, DType.FP32, seconds),
              best(backend, DType.BF16, seconds),
              best(backend, DType.FP16, seconds));
      System.out.println(Json.lines().writeValueAsString(peak));
    }
  }

  /** In 10⁹ operations a second, which are operations a nanosecond. */
  private static double best(Backend backend, DType dtype, double seconds) {
    TensorSpec square = TensorSpec.of(dtype, SIDE, SIDE);
    MatMul product = new MatMul(false, false, false);
    try (PlannedOp matMul = new PlannedOp(backend, product, square, square)) {
      Steps products = Steps.run(() -> matMul.run().getFirst().at(0), new Effort(MOST, seconds));
      return OPERATIONS / (Collections.min(products.milliseconds()) * 1e6);
    }
  }
}
