package dev.halfcell.autodiff;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Ops;
import dev.halfcell.op.normalization.BatchNorm;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import java.util.List;
import org.junit.jupiter.api.Test;

class UndifferentiableOutputTest {
  /** The mean of a batch has no gradient: a loss of it would silently learn nothing. */
  @Test
  void aLossThatDependsOnWhatHasNoGradientIsRefused() {
    try (TensorScope scope = TensorScope.open()) {
      Tape tape = new Tape(new ReferenceBackend().eager(scope));
      Ops ops = new Ops(tape, new CellPath("/norm"));
      Tensor x = tape.watchInput(Tensor.of(scope, TensorSpec.of(DType.FP32, 2, 2), 1, 2, 3, 5));
      Tensor ones = Tensor.of(scope, TensorSpec.of(DType.FP32, 2), 1, 1);
      List<Tensor> out = ops.runAll(new BatchNorm(1e-5), x, ones, ones);
      Tensor loss = ops.sum(ops.add(ops.sum(out.getFirst(), false, 0), out.get(1)), false, 0);
      Tensor one = Tensor.scalar(scope, DType.FP32, 1);
      UsageException e = assertThrows(UsageException.class, () -> tape.gradients(loss, one));
      assertEquals("BatchNorm", e.problem().subject());
      assertEquals("/norm", e.problem().where());
    }
  }
}
