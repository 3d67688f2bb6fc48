package dev.halfcell.tensor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TensorTest {
  @ParameterizedTest
  @EnumSource(DType.class)
  void elementsComeBack(DType dtype) {
    try (TensorScope scope = TensorScope.open()) {
      Tensor tensor = Tensor.of(scope, TensorSpec.of(dtype, 2, 2), 0, 1, 1, 0);
      assertArrayEquals(new double[] {0, 1, 1, 0}, tensor.toArray());
      assertEquals(4L * dtype.bytes(), tensor.spec().bytes());
      assertTrue(scope.copy(tensor).sameBits(tensor));
    }
  }

  @Test
  void useAfterCloseThrows() {
    TensorScope scope = TensorScope.open();
    Tensor tensor = scope.allocate(TensorSpec.of(DType.FP32, 3));
    scope.close();
    scope.close();
    UsageException read = assertThrows(UsageException.class, () -> tensor.at(0));
    assertEquals("tensor fp32[3], closed", read.problem().got());
    UsageException e =
        assertThrows(UsageException.class, () -> scope.allocate(TensorSpec.of(DType.FP32)));
    assertEquals("an open scope", e.problem().expected());
  }

  @Test
  void aSymbolHasNoValue() {
    Tensor symbol = Tensor.symbol(TensorSpec.of(DType.FP32, 2));
    assertTrue(symbol.symbolic());
    UsageException e = assertThrows(UsageException.class, symbol::toArray);
    assertTrue(e.problem().message().contains("being traced"), e.getMessage());
  }

  @Test
  void whatDoesNotFitIsRefused() {
    try (TensorScope scope = TensorScope.open()) {
      TensorSpec three = TensorSpec.of(DType.FP32, 3);
      assertThrows(ArgumentException.class, () -> Tensor.of(scope, three, 1, 2));
      assertThrows(ArgumentException.class, () -> scope.allocate(three).item());
      assertThrows(ArgumentException.class, () -> Tensor.over(three, scope.allocate(8)));
    }
    ArgumentException empty = assertThrows(ArgumentException.class, () -> Shape.of(0, 3));
    assertEquals("[0, 3]", empty.problem().got());
  }

  @Test
  void sameBitsTellsSignsOfZeroApart() {
    try (TensorScope scope = TensorScope.open()) {
      TensorSpec one = TensorSpec.of(DType.FP32);
      assertFalse(Tensor.of(scope, one, 0.0).sameBits(Tensor.of(scope, one, -0.0)));
    }
  }

  @Test
  void shapesAreData() {
    assertEquals(Shape.of(2, 3), Shape.of(3).behind(2));
    assertEquals(Shape.of(3), Shape.of(2, 3).tail());
    assertEquals(6, Shape.of(2, 3).size());
    assertEquals("fp16[2, 3]", TensorSpec.of(DType.FP16, 2, 3).toString());
  }

  @Test
  void anElementThatIsNotThereIsRefused() {
    try (TensorScope scope = TensorScope.open()) {
      Tensor three = scope.allocate(TensorSpec.of(DType.FP32, 3));
      for (long index : new long[] {-1, 3, Long.MAX_VALUE}) {
        ArgumentException e = assertThrows(ArgumentException.class, () -> three.at(index));
        assertEquals("an element from 0 to 2", e.problem().expected());
      }
    }
  }

  @Test
  void aHoldThatIsClosedTwiceGivesBackOnce() {
    TensorScope scope = TensorScope.open();
    Tensor tensor = scope.allocate(TensorSpec.of(DType.FP32));
    TensorScope.Hold first = scope.hold();
    TensorScope.Hold second = scope.hold();
    first.close();
    first.close();
    scope.close();
    assertEquals(0, tensor.at(0), "the second hold keeps the memory");
    second.close();
    assertThrows(UsageException.class, () -> tensor.at(0));
  }
}
