package dev.halfcell.op.attention;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.halfcell.autodiff.Tape;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Executor;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.DTypeException;
import dev.halfcell.tensor.ShapeException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ScaledDotProductAttentionTest {
  private static final CellPath AT = new CellPath("/attention");
  private static final TensorSpec SPEC = TensorSpec.of(DType.FP32, 1, 1, 2, 2);

  private final TensorScope scope = TensorScope.open();
  private final Executor reference = new ReferenceBackend().eager(scope);
  private final Tensor q = Tensor.of(scope, SPEC, 1, 2, -1, 0.5);
  private final Tensor k = Tensor.of(scope, SPEC, 0.5, 1, 2, -1);
  private final Tensor v = Tensor.of(scope, SPEC, 3, 4, 5, 6);

  @AfterEach
  void close() {
    scope.close();
  }

  private Tensor mask(double... takesPart) {
    return Tensor.of(scope, TensorSpec.of(DType.BOOL, 1, 1, 2, 2), takesPart);
  }

  @Test
  void weighsValuesByTheSoftmaxOfScores() {
    List<Tensor> out =
        reference.execute(ScaledDotProductAttention.of(2, false), List.of(q, k, v), AT);
    double a = Math.exp(2.5 / Math.sqrt(2));
    double b = Math.exp(0);
    assertEquals((3 * a + 5 * b) / (a + b), out.get(0).at(0), 1e-6);
    assertEquals(Math.log(a + b), out.get(1).at(0), 1e-6);
  }

  @Test
  void causalIsTheMaskOfALowerTriangle() {
    Tensor causal =
        reference.execute(ScaledDotProductAttention.of(2, true), List.of(q, k, v), AT).getFirst();
    Tensor masked =
        reference
            .execute(ScaledDotProductAttention.of(2, false), List.of(q, k, v, mask(1, 0, 1, 1)), AT)
            .getFirst();
    assertArrayEquals(masked.toArray(), causal.toArray());
    assertEquals(3, causal.at(0)); // the first query sees the first key alone
  }

  @Test
  void aRowWithNothingToLookAtIsZeroAndHasNoGradient() {
    Tape tape = new Tape(reference);
    List.of(q, k, v).forEach(tape::watchInput);
    List<Tensor> in = List.of(q, k, v, mask(0, 0, 1, 1));
    List<Tensor> out = tape.execute(ScaledDotProductAttention.of(2, false), in, AT);
    assertEquals(0, out.get(0).at(0));
    assertEquals(Double.NEGATIVE_INFINITY, out.get(1).at(0));
    Map<Tensor, Tensor> gradients = tape.gradients(out.get(0), Tensor.of(scope, SPEC, 1, 1, 1, 1));
    double[] dq = Objects.requireNonNull(gradients.get(q)).toArray();
    assertEquals(0, dq[0]);
    assertEquals(0, dq[1]);
    double[] dv = Objects.requireNonNull(gradients.get(v)).toArray();
    assertEquals(1, dv[0] + dv[2], 1e-6); // from the other row alone
  }

  @Test
  void whatDoesNotFitIsRefused() {
    ScaledDotProductAttention op = ScaledDotProductAttention.of(2, false);
    TensorSpec otherHeads = TensorSpec.of(DType.FP32, 1, 3, 2, 2);
    TensorSpec fewer = TensorSpec.of(DType.FP32, 1, 1, 1, 2);
    TensorSpec numbers = TensorSpec.of(DType.FP32, 1, 1, 2, 2);
    TensorSpec tooMany = TensorSpec.of(DType.BOOL, 1, 1, 2, 3);
    assertThrows(ShapeException.class, () -> op.infer(List.of(SPEC, otherHeads, SPEC), AT));
    assertThrows(ShapeException.class, () -> op.infer(List.of(SPEC, SPEC, fewer), AT));
    assertThrows(ShapeException.class, () -> op.infer(List.of(SPEC, SPEC), AT));
    assertThrows(DTypeException.class, () -> op.infer(List.of(SPEC, SPEC, SPEC, numbers), AT));
    assertThrows(ShapeException.class, () -> op.infer(List.of(SPEC, SPEC, SPEC, tooMany), AT));
    assertThrows(ArgumentException.class, () -> new ScaledDotProductAttention(true, 0));
    assertThrows(ArgumentException.class, () -> new ScaledDotProductAttention(true, Double.NaN));
  }
}
