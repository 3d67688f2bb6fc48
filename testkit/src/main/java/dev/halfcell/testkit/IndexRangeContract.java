package dev.halfcell.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.halfcell.backend.Backend;
import dev.halfcell.op.Op;
import dev.halfcell.op.indexing.CoalesceRows;
import dev.halfcell.op.indexing.Embedding;
import dev.halfcell.op.indexing.Gather;
import dev.halfcell.op.indexing.OneHot;
import dev.halfcell.op.indexing.ScatterAdd;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * An index that is negative or too large is refused by every backend, which reads nothing there.
 */
public abstract class IndexRangeContract {
  private static final int SIZE = 7;
  private static final OptionalInt NONE = OptionalInt.empty();

  /** Opens the backend that is held to the contract. */
  protected abstract Backend open();

  @TestFactory
  final Stream<DynamicTest> anIndexOutOfRangeIsNamed() {
    TensorSpec table = TensorSpec.of(DType.FP32, SIZE, 4);
    TensorSpec looked = TensorSpec.of(DType.FP32, 5, 4);
    return Stream.of(
            test(new Embedding(NONE, false), table),
            test(new Embedding(OptionalInt.of(2), true), table),
            test(new Gather(0), table),
            test(new Gather(1), TensorSpec.of(DType.FP16, 3, SIZE)),
            test(new ScatterAdd(table.shape(), 0, true), looked),
            test(new CoalesceRows(SIZE, NONE), looked),
            test(new OneHot(SIZE, 1, 0, DType.FP32)))
        .flatMap(tests -> tests);
  }

  private Stream<DynamicTest> test(Op op, TensorSpec... before) {
    return Stream.of(DType.INT32, DType.INT64)
        .flatMap(
            dtype ->
                DoubleStream.of(SIZE, -1, 1e9, -2e9)
                    .mapToObj(
                        index ->
                            dynamicTest(
                                op.label() + " " + dtype.label() + " " + index,
                                () -> refused(op, List.of(before), dtype, index))));
  }

  private void refused(Op op, List<TensorSpec> before, DType dtype, double index) {
    try (Backend backend = open();
        TensorScope scope = TensorScope.open()) {
      TensorSpec five = new TensorSpec(dtype, Shape.of(5));
      Tensor indices = Tensor.of(scope, five, 0, SIZE - 1, 3, index, 1);
      List<Tensor> in =
          Stream.concat(before.stream().map(scope::allocate), Stream.of(indices)).toList();
      DataException e =
          assertThrows(
              DataException.class, () -> backend.eager(scope).execute(op, in, OpCase.PATH));
      Problem problem = e.problem();
      assertEquals(op.label(), problem.subject());
      assertEquals(OpCase.PATH.text(), problem.where());
      assertTrue(problem.expected().contains("size " + SIZE), problem.expected());
      assertEquals("index %.0f as element 3 of the indices".formatted(index), problem.got());
    }
  }
}
