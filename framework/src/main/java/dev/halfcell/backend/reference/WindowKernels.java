package dev.halfcell.backend.reference;

import dev.halfcell.op.update.Accumulate;
import dev.halfcell.op.update.CountFinite;
import dev.halfcell.op.update.Restart;
import dev.halfcell.op.update.Window;
import dev.halfcell.op.update.WindowClean;
import dev.halfcell.op.update.WindowScale;
import dev.halfcell.op.update.WindowStatistic;
import dev.halfcell.tensor.Tensor;
import java.util.List;

/** Windows of micro-batches. */
final class WindowKernels {
  private WindowKernels() {}

  static double[] compute(Window op, List<Tensor> in) {
    return switch (op) {
      case Accumulate() -> {
        double[] sum = in.get(0).toArray();
        double[] x = in.get(1).toArray();
        yield in.get(2).item() == 0 ? x : Loops.fill(x.length, i -> sum[i] + x[i]);
      }
      case WindowStatistic() -> in.get(in.get(2).item() == 0 ? 1 : 0).toArray();
      case WindowScale scale ->
          scalar(scale.of(in.get(0).item(), in.get(1).item(), in.get(2).item()));
      case WindowClean() ->
          scalar(in.get(0).item() != 0 && in.get(1).item() == in.get(2).item() ? 1 : 0);
      case CountFinite() -> scalar(in.get(0).item() + (in.get(1).item() != 0 ? 1 : 0));
      case Restart() -> scalar(0);
    };
  }

  private static double[] scalar(double value) {
    return new double[] {value};
  }
}
