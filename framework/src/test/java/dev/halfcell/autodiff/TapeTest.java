package dev.halfcell.autodiff;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Op;
import dev.halfcell.op.Ops;
import dev.halfcell.op.elementwise.Mul;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TapeTest {
  private final TensorScope scope = TensorScope.open();
  private final ReferenceBackend backend = new ReferenceBackend();
  private final List<Op> below = new ArrayList<>();
  private final Tape tape = new Tape(this::execute);
  private final Ops ops = new Ops(tape, new CellPath("/cell"));
  private final Tensor a = scalar(3);
  private final Tensor b = scalar(5);
  private final Tensor one = scalar(1);

  private List<Tensor> execute(Op op, List<Tensor> in, CellPath at) {
    below.add(op);
    return backend.eager(scope).execute(op, in, at);
  }

  private Tensor scalar(double value) {
    return Tensor.of(scope, TensorSpec.of(DType.FP32), value);
  }

  @AfterEach
  void close() {
    scope.close();
    backend.close();
  }

  @Test
  void whatIsWatchedIsHandedBack() {
    assertSame(a, tape.watch(a));
    assertSame(b, tape.watchInput(b));
  }

  @Test
  void pathsThatMeetAreSummed() {
    tape.watchInput(a);
    Tensor y = ops.add(ops.mul(a, b), ops.mul(a, a));
    Map<Tensor, Tensor> gradients = tape.gradients(y, one);
    assertEquals(5 + 2 * 3, gradient(gradients, a).item());
    assertSame(one, gradient(gradients, y));
    assertTrue(!gradients.containsKey(b), "not watched");
  }

  @Test
  void askedAgainItComputesTheSameAgain() {
    tape.watchInput(a);
    Tensor y = ops.mul(a, b);
    assertEquals(5, gradient(tape.gradients(y, one), a).item());
    assertEquals(5, gradient(tape.gradients(y, one), a).item());
  }

  /** The gradient of a sum of several results is the sum of theirs. */
  @Test
  void severalResultsAreSeededAtOnce() {
    tape.watchInput(a);
    Tensor y = ops.mul(a, b);
    Tensor z = ops.mul(y, b);
    Map<Tensor, Tensor> gradients = tape.gradients(Map.of(y, one, z, scalar(2)));
    assertEquals(5 + 2 * 25, gradient(gradients, a).item());
  }

  @Test
  void opsOfWhatIsNotWatchedAreNotRecorded() {
    tape.watchInput(a);
    Tensor constant = ops.mul(b, b);
    Tensor y = ops.mul(a, constant);
    below.clear();
    Map<Tensor, Tensor> gradients = tape.gradients(y, one);
    assertEquals(25, gradient(gradients, a).item());
    assertEquals(List.of(new Mul(), new Mul()), below, "one rule ran: that of y");
    assertTrue(!gradients.containsKey(constant));
  }

  @Test
  void opsThatTheResultDoesNotDependOnAreLeftOut() {
    tape.watchInput(a);
    ops.mul(a, a);
    Tensor y = ops.add(a, b);
    below.clear();
    assertEquals(1, gradient(tape.gradients(y, one), a).item());
    assertEquals(List.of(), below);
  }

  /** A cast of a parameter counts as one, a cast of anything else does not. */
  @Test
  void theGradientOfAParameterThatWasCastStaysWide() {
    Tensor w = tape.watch(Tensor.of(scope, TensorSpec.of(DType.FP32, 2), 1, 2));
    Tensor x = tape.watchInput(Tensor.of(scope, TensorSpec.of(DType.FP32, 2), 3, 4));
    Tensor half = ops.cast(w, DType.FP16);
    Tensor halfX = ops.cast(x, DType.FP16);
    Tensor y = ops.mul(half, halfX);
    Tensor seed = Tensor.of(scope, y.spec(), 1, 1);
    Map<Tensor, Tensor> gradients = tape.gradients(y, seed);
    assertEquals(DType.FP32, gradient(gradients, half).dtype());
    assertEquals(DType.FP16, gradient(gradients, halfX).dtype());
    assertArrayEquals(new double[] {3, 4}, gradient(gradients, w).toArray());
    assertEquals(DType.FP32, gradient(gradients, x).dtype());
  }

  @Test
  void aSeedThatIsNotLikeItsResultIsRefused() {
    tape.watchInput(a);
    Tensor y = ops.mul(a, b);
    Tensor wrong = Tensor.of(scope, TensorSpec.of(DType.FP32, 1), 1);
    String message =
        assertThrows(UsageException.class, () -> tape.gradients(y, wrong)).problem().message();
    assertTrue(message.contains("like the result it belongs to"), message);
  }

  @Test
  void rowsThatAreChangedStayRowsOfTheSameTable() {
    Gradient.Dense dense = new Gradient.Dense(a);
    assertSame(b, dense.map(_ -> b).values());
    Tensor values = Tensor.of(scope, TensorSpec.of(DType.FP32, 1, 1), 4);
    Tensor row = Tensor.of(scope, TensorSpec.of(DType.INT64, 1), 1);
    Gradient.Rows rows = new Gradient.Rows(a, row, b, Shape.of(2, 1));
    Gradient.Rows changed = rows.map(_ -> values);
    assertSame(values, changed.values());
    assertArrayEquals(
        new double[] {0, 4}, changed.dense(new Ops(backend.eager(scope), CellPath.STEP)).toArray());
  }

  private static Tensor gradient(Map<Tensor, Tensor> gradients, Tensor by) {
    return Objects.requireNonNull(gradients.get(by));
  }
}
