package dev.halfcell.backend.reference;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.host.Host;
import dev.halfcell.op.host.HostFunction;
import dev.halfcell.op.host.HostFunctionGradient;
import dev.halfcell.tensor.Tensor;
import java.util.List;

final class HostKernels {
  private HostKernels() {}

  static List<double[]> compute(Host op, List<Tensor> in, List<Tensor> out, CellPath at) {
    return switch (op) {
      case HostFunction function ->
          function.compute(in.stream().map(Tensor::toArray).toList(), Tensor.specs(out), at);
      case HostFunctionGradient gradient -> gradient.compute(in, Tensor.specs(out), at);
    };
  }
}
