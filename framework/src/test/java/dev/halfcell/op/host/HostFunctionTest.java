package dev.halfcell.op.host;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.PrecisionClass;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class HostFunctionTest {
  private static final CellPath AT = new CellPath("/own");
  private static final TensorSpec PAIR = TensorSpec.of(DType.FP32, 2);
  private static final HostFunction COPY = HostFunction.of("copy", in -> in, in -> in);

  @Test
  void aFunctionIsWhatItWasMadeOf() {
    assertEquals(PrecisionClass.FULL, COPY.precision());
    assertEquals(Optional.empty(), COPY.backward());
    HostFunction.Differentiation rule = (in, out, d) -> d;
    HostFunction half = COPY.withGradient(rule).withPrecision(PrecisionClass.ALLOW);
    assertEquals(Optional.of(rule), half.backward());
    assertEquals(PrecisionClass.ALLOW, half.precision());
    assertEquals("copy", half.label());
    HostFunctionGradient gradient = new HostFunctionGradient(half, 1, List.of(true));
    assertEquals(PrecisionClass.ALLOW, gradient.precision());
    assertEquals("copy gradient", gradient.label());
    assertThrows(ArgumentException.class, () -> HostFunction.of(" ", in -> in, in -> in));
  }

  @Test
  void resultsAndGradientsHaveAsManyElementsAsWerePromised() {
    double[] two = {1, 2};
    assertArrayEquals(two, COPY.compute(List.of(two), List.of(PAIR), AT).getFirst());
    refused("1 results", "0", () -> COPY.compute(List.of(), List.of(PAIR), AT));
    refused("1 results", "2", () -> COPY.compute(List.of(two, two), List.of(PAIR), AT));
    refused("2 elements for result 0", "1", () -> compute(new double[1]));
    HostFunction back = COPY.withGradient((in, out, d) -> d);
    refused("1 gradients", "0", () -> differentiate(back, List.of()));
    refused("2 elements for gradient 0", "3", () -> differentiate(back, List.of(new double[3])));
  }

  private static void compute(double... in) {
    COPY.compute(List.of(in), List.of(PAIR), AT);
  }

  private static void differentiate(HostFunction function, List<double[]> d) {
    function.differentiate(List.of(), List.of(), d, List.of(PAIR), AT);
  }

  @Test
  void aFunctionWithoutAResultIsRefused() {
    HostFunction none = HostFunction.of("none", in -> List.of(), in -> List.of());
    refused("at least one result", "none", () -> none.infer(List.of(PAIR), AT));
  }

  /** Inputs behind the first that is not floating-point have no gradient. */
  @Test
  void theLeadingFloatingInputsAreDifferentiable() {
    TensorSpec labels = TensorSpec.of(DType.INT64, 2);
    assertEquals(1, HostFunction.differentiable(List.of(PAIR, labels, PAIR)));
    assertEquals(2, HostFunction.differentiable(List.of(PAIR, PAIR)));
  }

  private static void refused(String expected, String got, Executable call) {
    String message = assertThrows(UsageException.class, call).problem().message();
    assertTrue(message.contains(expected), message);
    assertTrue(message.contains(got), message);
    assertTrue(message.contains(AT.text()), message);
  }
}
