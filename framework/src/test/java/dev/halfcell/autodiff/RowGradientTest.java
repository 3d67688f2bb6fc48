package dev.halfcell.autodiff;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Ops;
import dev.halfcell.op.indexing.Embedding;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RowGradientTest {
  private final TensorScope scope = TensorScope.open();
  private final ReferenceBackend backend = new ReferenceBackend();
  private final Tape tape = new Tape(backend.eager(scope));
  private final Ops ops = new Ops(tape, new CellPath("/words"));
  private final Tensor table =
      tape.watch(Tensor.of(scope, TensorSpec.of(DType.FP32, 4, 2), 0, 1, 2, 3, 4, 5, 6, 7));
  private final Tensor words = Tensor.of(scope, TensorSpec.of(DType.INT32, 4), 3, 1, 3, 0);

  @AfterEach
  void close() {
    scope.close();
    backend.close();
  }

  private Tensor lookUp(Tensor from, OptionalInt padding) {
    return ops.run(new Embedding(padding, true), from, words);
  }

  private Gradient gradient(Tensor out, double... d) {
    Tensor seed = Tensor.of(scope, out.spec(), d);
    Map<Tensor, Gradient> gradients = tape.backward(Map.of(out, seed));
    return Objects.requireNonNull(gradients.get(table));
  }

  @Test
  void rowsAreEachThereOnceInAscendingOrderAndZeroFromTheCountOn() {
    Gradient gradient = gradient(lookUp(table, OptionalInt.empty()), 1, 2, 3, 4, 5, 6, 7, 8);
    Gradient.Rows rows = assertInstanceOf(Gradient.Rows.class, gradient);
    assertEquals(3, rows.count().item());
    assertArrayEquals(new double[] {0, 1, 3, 0}, rows.rows().toArray());
    assertArrayEquals(new double[] {7, 8, 3, 4, 6, 8, 0, 0}, rows.values().toArray());
    assertArrayEquals(
        new double[] {7, 8, 3, 4, 0, 0, 6, 8},
        rows.dense(new Ops(backend.eager(scope), CellPath.STEP)).toArray());
  }

  @Test
  void theRowOfThePaddingIndexIsNotAmongThem() {
    Gradient gradient = gradient(lookUp(table, OptionalInt.of(3)), 1, 2, 3, 4, 5, 6, 7, 8);
    Gradient.Rows rows = assertInstanceOf(Gradient.Rows.class, gradient);
    assertEquals(2, rows.count().item());
    assertArrayEquals(new double[] {7, 8, 3, 4, 0, 0, 0, 0}, rows.values().toArray());
  }

  @Test
  void duplicatesOfACastTableAreSummedInFp32() {
    Tensor half = ops.cast(table, DType.FP16);
    Gradient gradient = gradient(lookUp(half, OptionalInt.empty()), 40000, 1, 0, 0, 40000, 2, 0, 0);
    Gradient.Rows rows = assertInstanceOf(Gradient.Rows.class, gradient);
    assertEquals(DType.FP32, rows.values().dtype());
    assertEquals(80000, rows.values().at(4));
  }

  @Test
  void aTableThatIsUsedTwiceGetsAWholeGradient() {
    Tensor once = lookUp(table, OptionalInt.empty());
    Tensor twice = ops.add(once, lookUp(table, OptionalInt.empty()));
    Gradient gradient = gradient(twice, 1, 2, 3, 4, 5, 6, 7, 8);
    Gradient.Dense dense = assertInstanceOf(Gradient.Dense.class, gradient);
    assertArrayEquals(new double[] {14, 16, 6, 8, 0, 0, 12, 16}, dense.values().toArray());
  }

  @Test
  void aTableThatIsAWeightTooGetsAWholeGradient() {
    Tensor tied = ops.dense(lookUp(table, OptionalInt.empty()), table);
    double[] d = new double[16];
    d[0] = 1; // the first word's score of word 0: row 3 goes to row 0, row 0 goes to row 3
    Gradient.Dense dense = assertInstanceOf(Gradient.Dense.class, gradient(tied, d));
    assertArrayEquals(new double[] {6, 7, 0, 0, 0, 0, 0, 1}, dense.values().toArray());
  }
}
