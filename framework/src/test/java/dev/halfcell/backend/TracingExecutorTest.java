package dev.halfcell.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.halfcell.nn.Dense;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Ops;
import dev.halfcell.optim.Sgd;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import dev.halfcell.train.TrainState;
import java.util.List;
import org.junit.jupiter.api.Test;

class TracingExecutorTest {
  /** A cell that keeps a tensor from one trace to the next has no value for it in the second. */
  @Test
  void aPromiseOfAnotherStepIsRefused() {
    try (TrainState state = TrainState.of(new Dense(1, 1), new Sgd(0.1), 1)) {
      Tensor kept = new TracingExecutor(state).input(TensorSpec.of(DType.FP32, 2));
      TracingExecutor tracing = new TracingExecutor(state);
      Tensor mine = tracing.input(TensorSpec.of(DType.FP32, 2));
      Ops ops = new Ops(tracing, new CellPath("/keeps"));
      UsageException e = assertThrows(UsageException.class, () -> ops.add(mine, kept));
      assertEquals("Add", e.problem().subject());
      assertEquals("/keeps", e.problem().where());
      UsageException asResult =
          assertThrows(UsageException.class, () -> tracing.graph(Outcome.of(List.of(mine, kept))));
      assertEquals("outcome", asResult.problem().subject());
      Tensor weight = tracing.read(state.values().keySet().iterator().next());
      assertEquals(1, tracing.graph(Outcome.of(List.of(ops.scale(weight, 2)))).reads().size());
    }
  }
}
