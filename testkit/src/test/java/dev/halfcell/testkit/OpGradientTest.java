package dev.halfcell.testkit;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.halfcell.op.elementwise.Relu;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The gradient of every op against central differences. */
final class OpGradientTest {
  private static final int MOST_ELEMENTS = 400;
  private static final long SEED = Generator.seed();

  @TestFactory
  Stream<DynamicTest> everyGradientIsThatOfCentralDifferences() {
    return SealedOps.records().stream()
        .map(op -> OpCases.of(op, SEED).stream().filter(c -> c.differentiable() > 0).toList())
        .filter(cases -> !cases.isEmpty())
        .map(
            cases ->
                dynamicTest(
                    cases.getFirst().op().label() + " (seed " + SEED + ")", () -> check(cases)));
  }

  private static void check(List<OpCase> cases) {
    List<OpCase> small = cases.stream().filter(OpGradientTest::small).toList();
    assertFalse(small.isEmpty(), "no case is small enough");
    small.forEach(OpGradientTest::check);
  }

  /** Whether a case has a gradient and is small enough to move each of its elements. */
  static boolean checked(OpCase each) {
    return each.differentiable() > 0 && small(each);
  }

  private static boolean small(OpCase each) {
    return each.arguments().stream().mapToLong(a -> a.shape().size()).sum() <= MOST_ELEMENTS
        && each.inferred(DType.FP64).getFirst().dtype() == DType.FP64;
  }

  static void check(OpCase each) {
    try (TensorScope scope = TensorScope.open()) {
      List<Tensor> in = each.tensors(scope, DType.FP64, new Generator(SEED));
      CentralDifferences.checkAll(
          (ops, values) ->
              ops.runAll(each.op(), values.toArray(Tensor[]::new)).stream()
                  .limit(each.op().differentiableOutputs())
                  .toList(),
          in,
          each.differentiable());
    }
  }

  @Test
  void aWrongGradientIsFound() {
    try (TensorScope scope = TensorScope.open()) {
      Tensor atTheKink =
          Argument.data(Shape.of(3), Fill.constant(0)).tensor(scope, DType.FP64, new Generator(1));
      assertThrows(
          AssertionError.class,
          () ->
              CentralDifferences.check(
                  (ops, in) -> ops.run(new Relu(), in.getFirst()), List.of(atTheKink), 1));
    }
  }
}
