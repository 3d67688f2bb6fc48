package dev.halfcell.testkit;

import static dev.halfcell.testkit.Argument.data;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Capabilities;
import dev.halfcell.backend.Collective;
import dev.halfcell.backend.Graph;
import dev.halfcell.backend.Plan;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.PlanReport;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.backend.Variables;
import dev.halfcell.op.Executor;
import dev.halfcell.op.elementwise.Add;
import dev.halfcell.op.linear.Dense;
import dev.halfcell.op.linear.MatMul;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract fails where a backend is wrong. */
final class OpTrialTest {
  private static final Shape SQUARE = Shape.of(4, 4);
  private static final OpCase EXACT =
      OpCase.of(new Dense(), data(SQUARE, Fill.integers()), data(SQUARE, Fill.integers()))
          .exactly()
          .differentiable(2)
          .summing(4);
  private static final OpCase ROUNDED =
      OpCase.of(new Add(), data(SQUARE, Fill.normals()), data(SQUARE, Fill.normals()))
          .differentiable(2);

  private static OpTrial trial(Backend backend) {
    return new OpTrial(backend, new ReferenceBackend(), 1, new ErrorMatrix());
  }

  @ParameterizedTest
  @EnumSource(names = {"FP32", "FP16", "BF16"})
  void theReferenceItselfPasses(DType dtype) {
    OpTrial trial = trial(new ReferenceBackend());
    assertDoesNotThrow(
        () -> {
          trial.results(EXACT, dtype);
          trial.gradients(EXACT, dtype, true);
          trial.nonFinite(ROUNDED, dtype, Double.NaN);
        });
  }

  @Test
  void oneUnitInTheLastPlaceIsTooMuchWhereResultsAreExact() {
    OpTrial trial = trial(new Skewed(x -> Math.nextUp((float) x), false));
    assertThrows(AssertionError.class, () -> trial.results(EXACT, DType.FP32));
    assertDoesNotThrow(() -> trial.results(ROUNDED, DType.FP32));
  }

  @ParameterizedTest
  @EnumSource(names = {"FP32", "FP16", "BF16"})
  void threeUnitsInTheLastPlaceOfHalfAreTooMuchEvenWhereResultsAreRounded(DType dtype) {
    OpTrial trial = trial(new Skewed(x -> x * 1.03, false));
    assertThrows(AssertionError.class, () -> trial.results(ROUNDED, dtype));
    assertThrows(AssertionError.class, () -> trial.gradients(EXACT, dtype, false));
  }

  @Test
  void aLostNotANumberIsFound() {
    OpTrial trial = trial(new Skewed(x -> Double.isNaN(x) ? 0 : x, false));
    assertThrows(AssertionError.class, () -> trial.nonFinite(ROUNDED, DType.FP32, Double.NaN));
  }

  @Test
  void aBackendThatWritesIntoItsInputsIsFound() {
    OpTrial trial = trial(new Skewed(x -> x, true));
    assertThrows(AssertionError.class, () -> trial.results(ROUNDED, DType.FP32));
  }

  @Test
  void anOpThatIsSaidToHaveNoGradientAndHasOneIsFound() {
    OpTrial trial = trial(new ReferenceBackend());
    OpCase matMul =
        OpCase.of(
            new MatMul(false, false, false),
            data(SQUARE, Fill.normals()),
            data(SQUARE, Fill.normals()));
    assertThrows(AssertionError.class, () -> trial.refusesGradient(matMul, DType.FP32));
  }

  /** The reference with all elements of each first output changed, or of each first input. */
  private record Skewed(DoubleUnaryOperator change, boolean input) implements Backend {
    @Override
    public String name() {
      return "skewed";
    }

    @Override
    public Capabilities capabilities() {
      return new ReferenceBackend().capabilities();
    }

    @Override
    public Executor eager(TensorScope scope) {
      Executor right = new ReferenceBackend().eager(scope);
      return (op, in, at) -> {
        List<Tensor> out = right.execute(op, in, at);
        Tensor changed = input ? in.getFirst() : out.getFirst();
        for (int i = 0; i < changed.spec().size(); i++) {
          double value = input ? 7 : change.applyAsDouble(changed.at(i));
          Elements.set(changed.data(), changed.dtype(), i, value);
        }
        return out;
      };
    }

    @Override
    public Plan compile(Graph graph, Variables state, PlanOptions options, Collective collective) {
      throw new UnsupportedOperationException("the contract of ops compiles nothing");
    }

    @Override
    public PlanReport measure(Graph graph, PlanOptions options) {
      throw new UnsupportedOperationException("the contract of ops compiles nothing");
    }

    @Override
    public void close() {}
  }
}
