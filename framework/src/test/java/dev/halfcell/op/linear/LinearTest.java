package dev.halfcell.op.linear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Op;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.DTypeException;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.ShapeException;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

class LinearTest {
  private static final CellPath AT = new CellPath("/fc1");
  private static final MatMul PLAIN = new MatMul(false, false, false);

  private static TensorSpec fp32(int... dims) {
    return TensorSpec.of(DType.FP32, dims);
  }

  private static Shape shape(Op op, TensorSpec... in) {
    return op.infer(List.of(in), AT).getFirst().shape();
  }

  private static String refused(Op op, TensorSpec... in) {
    return assertThrows(ShapeException.class, () -> shape(op, in)).problem().message();
  }

  @Test
  void leadingAxesOfAProductBroadcast() {
    assertEquals(Shape.of(3, 4, 6), shape(PLAIN, fp32(3, 4, 5), fp32(3, 5, 6)));
    assertEquals(Shape.of(2, 3, 4, 6), shape(PLAIN, fp32(2, 1, 4, 5), fp32(3, 5, 6)));
    assertEquals(Shape.of(2, 3, 4, 6), shape(PLAIN, fp32(4, 5), fp32(2, 3, 5, 6)));
    MatMul both = new MatMul(true, true, false);
    assertEquals(Shape.of(3, 4, 6), shape(both, fp32(3, 5, 4), fp32(3, 6, 5)));
  }

  @Test
  void multiplyAddsAreThoseOfAllMatrices() {
    assertEquals(2 * 3 * 4 * 5 * 6, PLAIN.multiplyAdds(List.of(fp32(2, 1, 4, 5), fp32(3, 5, 6))));
    assertEquals(
        4 * 5 * 6, new MatMul(true, true, false).multiplyAdds(List.of(fp32(5, 4), fp32(6, 5))));
    assertEquals(2 * 3 * 5 * 6, new Dense().multiplyAdds(List.of(fp32(2, 3, 5), fp32(6, 5))));
  }

  @Test
  void unequalInnerDimensionsAreNamedWithBothShapes() {
    String message = refused(PLAIN, fp32(2, 3), fp32(4, 5));
    assertTrue(message.startsWith("[MatMul] at /fc1: expected equal inner dimensions"), message);
    assertTrue(message.contains("inner dimensions differ: [2, 3] x [4, 5]"), message);
    assertEquals(Shape.of(3, 5), shape(new MatMul(true, false, false), fp32(4, 3), fp32(4, 5)));
    refused(new MatMul(false, true, false), fp32(4, 3), fp32(3, 5));
  }

  @Test
  void leadingAxesThatDoNotBroadcastAreRefused() {
    String message = refused(PLAIN, fp32(3, 4, 5), fp32(2, 5, 6));
    assertTrue(message.contains("leading axes that broadcast"), message);
    refused(PLAIN, fp32(5), fp32(5, 6));
  }

  @Test
  void dtypesThatDifferAreBothNamed() {
    TensorSpec half = TensorSpec.of(DType.FP16, 3, 5);
    String message =
        assertThrows(DTypeException.class, () -> shape(PLAIN, fp32(2, 3), half))
            .problem()
            .message();
    assertTrue(message.contains("fp32[2, 3]") && message.contains("fp16[3, 5]"), message);
    TensorSpec whole = TensorSpec.of(DType.INT64, 2, 3);
    assertThrows(DTypeException.class, () -> shape(PLAIN, whole, whole));
    assertThrows(DTypeException.class, () -> shape(new Dense(), whole, whole));
  }

  @Test
  void aDenseLayerWorksOnTheLastAxis() {
    assertEquals(Shape.of(7, 6), shape(new Dense(), fp32(7, 5), fp32(6, 5), fp32(6)));
    assertEquals(Shape.of(2, 3, 6), shape(new Dense(), fp32(2, 3, 5), fp32(6, 5)));
    refused(new Dense(), fp32(5), fp32(6, 5));
  }

  @Test
  void imagesThatAreNotFlattenedAreRefusedWithTheCellAndItsFeatures() {
    String message = refused(new Dense(), fp32(64, 28, 28), fp32(10, 784), fp32(10));
    assertTrue(message.startsWith("[Dense] at /fc1: expected 784 input features"), message);
    assertTrue(message.contains("[64, 28, 28]") && message.contains("Flatten before"), message);
  }
}
