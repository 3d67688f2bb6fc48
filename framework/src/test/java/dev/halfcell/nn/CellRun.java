package dev.halfcell.nn;

import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.TrainState;

/** Runs a cell once, op by op, on the reference backend. */
final class CellRun {
  private CellRun() {}

  /** The output for one FP32 input, in evaluation. */
  static double[] evaluate(Cell net, Shape shape, double... x) {
    try (TensorScope scope = TensorScope.open()) {
      return evaluate(net, scope, Tensor.of(scope, new TensorSpec(DType.FP32, shape), x));
    }
  }

  /** The output for these inputs, in evaluation. */
  static double[] evaluate(Cell net, TensorScope scope, Tensor... in) {
    try (TrainState state = TrainState.of(net, 1)) {
      Tensor samples = scope.allocate(TensorSpec.of(DType.INT64, in[0].spec().dim(0)));
      Recording recording =
          new Recording(new ReferenceBackend().eager(scope), state, net, samples, false);
      return recording.call(net, in).toArray();
    }
  }
}
