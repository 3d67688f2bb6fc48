package dev.halfcell.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.Backends;
import dev.halfcell.backend.Graph;
import dev.halfcell.backend.Outcome;
import dev.halfcell.backend.PlanInputs;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.backend.TracingExecutor;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Forward;
import dev.halfcell.nn.ReLU;
import dev.halfcell.nn.Recording;
import dev.halfcell.op.host.HostFunction;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.FrameworkException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Null is refused by name wherever users pass something. */
class MissingArgumentsTest {
  private static void missing(String name, Executable call) {
    FrameworkException e = assertThrows(FrameworkException.class, call);
    assertEquals("null", e.problem().got());
    assertTrue(e.problem().expected().contains(name), e.getMessage());
  }

  @Test
  void areNamed() {
    missing("the name", () -> Backends.open(nothing()));
    HostFunction.Specs specs = in -> in;
    missing("the name", () -> HostFunction.of(nothing(), specs, in -> in));
    missing("what it infers", () -> HostFunction.of("own", nothing(), in -> in));
    missing("what it computes", () -> HostFunction.of("own", specs, nothing()));
    missing("its gradient", () -> HostFunction.of("own", specs, in -> in).withGradient(nothing()));
  }

  @Test
  void aCellThatIsMissingIsNamedWithItsCaller() {
    Cell caller =
        new Cell() {
          @Override
          protected Tensor construct(Forward f, Tensor... in) {
            return f.call(nothing(), in);
          }
        };
    try (TensorScope scope = TensorScope.open();
        TrainState state = TrainState.of(caller, 1)) {
      Tensor x = scope.allocate(TensorSpec.of(DType.FP32, 1));
      Recording recording =
          new Recording(new ReferenceBackend().eager(scope), state, caller, x, true);
      missing("the cell to call", () -> recording.call(caller, x));
    }
  }

  @Test
  void anInputOfAPlanIsNamedByItsNumber() {
    try (TrainState state = TrainState.of(new ReLU(), 1)) {
      TracingExecutor tracing = new TracingExecutor(state);
      Graph graph = tracing.graph(Outcome.of(List.of(tracing.input(TensorSpec.of(DType.FP32, 1)))));
      missing("input 0", () -> PlanInputs.require(graph, Collections.singletonList(nothing())));
    }
  }

  /** What a caller without null checks passes. */
  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals", "unchecked"})
  private static <T> T nothing() {
    return (T) (Object) null;
  }
}
