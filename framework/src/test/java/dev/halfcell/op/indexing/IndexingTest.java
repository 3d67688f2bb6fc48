package dev.halfcell.op.indexing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Op;
import dev.halfcell.op.Ops;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.DTypeException;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.ShapeException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class IndexingTest {
  private final TensorScope scope = TensorScope.open();
  private final ReferenceBackend backend = new ReferenceBackend();
  private final Ops ops = new Ops(backend.eager(scope), new CellPath("/cell"));
  private final Tensor x = Tensor.of(scope, TensorSpec.of(DType.FP32, 2, 3), 0, 1, 2, 3, 4, 5);

  @AfterEach
  void close() {
    scope.close();
    backend.close();
  }

  private Tensor indices(Shape shape, double... elements) {
    return Tensor.of(scope, new TensorSpec(DType.INT64, shape), elements);
  }

  @Test
  void looksUpAndAddsBack() {
    Tensor twice = indices(Shape.of(2), 2, 0);
    assertArrayEquals(new double[] {2, 0, 5, 3}, ops.lookups().gather(x, twice, 1).toArray());
    Tensor rows = indices(Shape.of(1, 3), 1, 1, 0);
    Tensor looked = ops.lookups().gather(x, rows, 0);
    assertEquals(Shape.of(1, 3, 3), looked.shape());
    assertArrayEquals(new double[] {3, 4, 5, 3, 4, 5, 0, 1, 2}, looked.toArray());
    Tensor sums = ops.lookups().scatterAdd(looked, rows, Shape.of(2, 3), 0);
    assertArrayEquals(new double[] {0, 1, 2, 6, 8, 10}, sums.toArray());
    Tensor hot = ops.lookups().oneHot(twice, 3, DType.FP16);
    assertEquals(TensorSpec.of(DType.FP16, 2, 3), hot.spec());
    assertArrayEquals(new double[] {0, 0, 1, 1, 0, 0}, hot.toArray());
  }

  @Test
  void anEmbeddingLooksUpItsPaddingRowToo() {
    Op padded = new Embedding(OptionalInt.of(1), false);
    Tensor one = indices(Shape.SCALAR, 1);
    assertArrayEquals(new double[] {3, 4, 5}, ops.run(padded, x, one).toArray());
  }

  @Test
  void wrongShapesAndDtypesAreRefused() {
    Tensor some = indices(Shape.of(2), 0, 1);
    assertThrows(ShapeException.class, () -> ops.lookups().gather(x, some, 2));
    assertThrows(DTypeException.class, () -> ops.lookups().gather(x, x, 0));
    assertThrows(DTypeException.class, () -> ops.lookups().embedding(x, x));
    assertThrows(
        ShapeException.class, () -> ops.lookups().embedding(ops.reshape(x, Shape.of(6)), some));
    assertThrows(ShapeException.class, () -> ops.lookups().scatterAdd(x, some, Shape.of(4, 2), 0));
    Op padded = new Embedding(OptionalInt.of(2), false);
    assertThrows(ShapeException.class, () -> ops.run(padded, x, some));
    TensorSpec table = TensorSpec.of(DType.FP32, 2, 3);
    Op coalesce = new CoalesceRows(2, OptionalInt.empty());
    assertThrows(
        ShapeException.class,
        () -> coalesce.infer(List.of(table, table.as(DType.INT32)), ops.at()));
  }

  @Test
  void settingsThatMakeNoSenseAreRefused() {
    assertThrows(ArgumentException.class, () -> new Gather(-1));
    assertThrows(ArgumentException.class, () -> new OneHot(0, 1, 0, DType.FP32));
    assertThrows(ArgumentException.class, () -> new OneHot(3, 0.5, 0, DType.INT32));
    assertThrows(ArgumentException.class, () -> new ScatterAdd(Shape.of(2, 3), 2, false));
    assertThrows(ArgumentException.class, () -> new Embedding(OptionalInt.of(-1), false));
    assertThrows(ArgumentException.class, () -> new CoalesceRows(0, OptionalInt.empty()));
  }
}
