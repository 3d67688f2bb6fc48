package dev.halfcell.backend;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Op;
import dev.halfcell.op.Ops;
import dev.halfcell.op.elementwise.Compare;
import dev.halfcell.op.elementwise.Comparison;
import dev.halfcell.op.indexing.Gather;
import dev.halfcell.op.precision.CellOutput;
import dev.halfcell.op.shape.Concat;
import dev.halfcell.op.shape.Pad;
import dev.halfcell.op.shape.Repeat;
import dev.halfcell.op.shape.Reshape;
import dev.halfcell.op.shape.ReverseSequence;
import dev.halfcell.op.shape.Slice;
import dev.halfcell.op.shape.Transpose;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whole numbers that a double cannot hold are compared and moved digit by digit. */
class WholeNumbersTest {
  /** The first whole number that is no double. */
  private static final long ODD = (1L << 53) + 1;

  private final TensorScope scope = TensorScope.open();
  private final Ops ops = new Ops(new ReferenceBackend().eager(scope), CellPath.ROOT);
  private final Tensor row = longs(ODD, 7);

  @AfterEach
  void close() {
    scope.close();
  }

  private Tensor longs(long... numbers) {
    Tensor tensor = scope.allocate(TensorSpec.of(DType.INT64, numbers.length));
    for (int i = 0; i < numbers.length; i++) {
      tensor.data().setAtIndex(ValueLayout.JAVA_LONG, i, numbers[i]);
    }
    return tensor;
  }

  private void yields(Op op, List<Tensor> in, long... want) {
    Tensor got = ops.run(op, in.toArray(Tensor[]::new));
    assertArrayEquals(want, got.data().toArray(ValueLayout.JAVA_LONG), op.label());
  }

  @Test
  void areComparedExactly() {
    Tensor even = longs(ODD - 1, 7);
    assertArrayEquals(
        new double[] {0, 1}, ops.run(new Compare(Comparison.EQUAL), row, even).toArray());
    assertArrayEquals(
        new double[] {1, 0}, ops.run(new Compare(Comparison.GREATER), row, even).toArray());
    assertArrayEquals(
        new double[] {1, 0}, ops.run(new Compare(Comparison.LESS), even, row).toArray());
  }

  @Test
  void areMovedExactly() {
    yields(new Reshape(Shape.of(2, 1)), List.of(row), ODD, 7);
    yields(new Transpose(List.of(0)), List.of(row), ODD, 7);
    yields(new Concat(0), List.of(row, row), ODD, 7, ODD, 7);
    yields(new Slice(List.of(0), List.of(1), List.of(1)), List.of(row), ODD);
    yields(new Pad(List.of(1), List.of(0), 3), List.of(row), 3, ODD, 7);
    yields(new CellOutput(), List.of(row), ODD, 7);
    Tensor last = Tensor.of(scope, TensorSpec.of(DType.INT32, 1), 1);
    yields(new Gather(0), List.of(longs(7, ODD), last), ODD);
    Tensor lengths = Tensor.of(scope, TensorSpec.of(DType.INT32, 1), 2);
    Tensor sequence = ops.run(new Reshape(Shape.of(1, 2)), row);
    yields(new ReverseSequence(0, 1), List.of(sequence, lengths), 7, ODD);
  }

  @Test
  void axesOfARepetitionAreThoseOfItsResult() {
    Shape to = Shape.of(2, 2);
    assertThrows(ArgumentException.class, () -> new Repeat(to, List.of(2)));
    assertThrows(ArgumentException.class, () -> new Repeat(to, List.of(-1)));
    ArgumentException e =
        assertThrows(ArgumentException.class, () -> new Repeat(to, List.of(0, 0)));
    assertEquals("Repeat axes", e.problem().subject());
  }
}
