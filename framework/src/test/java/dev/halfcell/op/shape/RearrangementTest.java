package dev.halfcell.op.shape;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Op;
import dev.halfcell.op.Ops;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.DTypeException;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.ShapeException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RearrangementTest {
  private static final CellPath AT = new CellPath("/cell");

  private final TensorScope scope = TensorScope.open();
  private final ReferenceBackend backend = new ReferenceBackend();
  private final Ops ops = new Ops(backend.eager(scope), AT);
  private final Tensor x = counted(2, 3);

  @AfterEach
  void close() {
    scope.close();
    backend.close();
  }

  private Tensor counted(int... dims) {
    TensorSpec spec = TensorSpec.of(DType.FP32, dims);
    return Tensor.of(scope, spec, IntStream.range(0, (int) spec.size()).asDoubleStream().toArray());
  }

  private static void assertValues(Tensor got, Shape shape, double... want) {
    assertEquals(shape, got.shape());
    assertArrayEquals(want, got.toArray());
  }

  @Test
  void movesElementsToWhereTheyBelong() {
    assertValues(ops.transpose(x, 1, 0), Shape.of(3, 2), 0, 3, 1, 4, 2, 5);
    assertValues(ops.slice(x, 1, 1, 2), Shape.of(2, 2), 1, 2, 4, 5);
    assertValues(
        ops.concat(0, x, ops.slice(x, 0, 1, 1)), Shape.of(3, 3), 0, 1, 2, 3, 4, 5, 3, 4, 5);
    assertValues(
        ops.pad(x, List.of(0, 1), List.of(1, 0), 9),
        Shape.of(3, 4),
        9,
        0,
        1,
        2,
        9,
        3,
        4,
        5,
        9,
        9,
        9,
        9);
    assertValues(ops.expandDims(x, 1), Shape.of(2, 1, 3), 0, 1, 2, 3, 4, 5);
    assertValues(ops.squeeze(ops.expandDims(x, 2), 2), Shape.of(2, 3), 0, 1, 2, 3, 4, 5);
    List<Tensor> parts = ops.split(x, 1, 1, 2);
    assertValues(parts.get(0), Shape.of(2, 1), 0, 3);
    assertValues(parts.get(1), Shape.of(2, 2), 1, 2, 4, 5);
  }

  @Test
  void stepsOverElementsAndPutsOthersBetweenThem() {
    Slice every = new Slice(List.of(0, 0), List.of(2, 2), List.of(1, 2));
    assertValues(ops.run(every, x), Shape.of(2, 2), 0, 2, 3, 5);
    Pad between = new Pad(List.of(0, 0), List.of(1, 0), List.of(0, 0), 7);
    assertValues(ops.run(between, x), Shape.of(3, 3), 0, 1, 2, 7, 7, 7, 3, 4, 5);
  }

  @Test
  void reversesEachSequenceUpToItsLength() {
    Tensor lengths = Tensor.of(scope, TensorSpec.of(DType.INT32, 2), 2, 3);
    assertValues(ops.reverseSequence(x, lengths, 0, 1), Shape.of(2, 3), 1, 0, 2, 5, 4, 3);
    Tensor none = Tensor.of(scope, TensorSpec.of(DType.INT32, 3), 0, 1, 2);
    assertValues(ops.reverseSequence(x, none, 1, 0), Shape.of(2, 3), 0, 1, 5, 3, 4, 2);
    Tensor long4 = Tensor.of(scope, TensorSpec.of(DType.INT32, 2), 2, 4);
    DataException e = assertThrows(DataException.class, () -> ops.reverseSequence(x, long4, 0, 1));
    assertEquals("lengths from 0 to 3", e.problem().expected());
    assertEquals("length 4 of sample 1", e.problem().got());
    assertEquals("/cell", e.problem().where());
  }

  @Test
  void whatCannotBeRearrangedSoIsRefused() {
    refused("Reshape", () -> ops.reshape(x, Shape.of(4, 2)));
    refused("Transpose", () -> ops.transpose(x, 0, 2, 1));
    refused("Concat", () -> ops.concat(5, x, x));
    refused("Concat", () -> ops.concat(0, x, counted(2, 2)));
    refused("slice", () -> ops.slice(x, 5, 0, 1));
    refused("Slice", () -> ops.slice(x, 1, 2, 2));
    refused("split", () -> ops.split(x, 1, 1, 1));
    refused("split", () -> ops.split(x, 2, 1, 2));
    refused("squeeze", () -> ops.squeeze(x, 0));
    refused("expandDims", () -> ops.expandDims(x, 3));
    refused("Pad", () -> ops.pad(x, List.of(1), List.of(1), 0));
    refused("ReverseSequence", () -> ops.reverseSequence(x, counted(2), 0, 5));
  }

  private static void refused(String subject, Runnable use) {
    ShapeException e = assertThrows(ShapeException.class, use::run);
    assertEquals(subject, e.problem().subject());
    assertEquals("/cell", e.problem().where());
  }

  @Test
  void settingsThatMakeNoSenseAreRefused() {
    assertThrows(ArgumentException.class, () -> new Transpose(List.of(0, 0)));
    assertThrows(ArgumentException.class, () -> new Transpose(List.of(1, 2)));
    assertThrows(ArgumentException.class, () -> new Concat(-1));
    List<Integer> none = List.of(0);
    List<Integer> one = List.of(1);
    assertThrows(ArgumentException.class, () -> new Slice(none, none, one));
    assertThrows(ArgumentException.class, () -> new Slice(none, one, none));
    assertThrows(ArgumentException.class, () -> new Slice(List.of(-1), one, one));
    assertThrows(ArgumentException.class, () -> new Slice(List.of(0, 0), one, one));
    assertThrows(ArgumentException.class, () -> new Pad(List.of(-1), one, 0));
    assertThrows(ArgumentException.class, () -> new Pad(one, List.of(-1), one, 0));
    assertThrows(ArgumentException.class, () -> new ReverseSequence(1, 1));
    Op half = new Pad(one, one, 0.5);
    TensorSpec labels = TensorSpec.of(DType.INT64, 3);
    assertThrows(DTypeException.class, () -> half.infer(List.of(labels), AT));
    assertTrue(new Pad(one, one, 2).infer(List.of(labels), AT).getFirst().dim(0) == 5);
  }
}
