package dev.halfcell.tensor;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class GuardedScopeTest {
  private static final TensorSpec SPEC = TensorSpec.of(DType.FP32, 3);

  @ParameterizedTest
  @ValueSource(longs = {-1, -64, 12, 63})
  void aByteWrittenBesideATensorIsFound(long offset) {
    TensorScope scope = TensorScope.guarded();
    MemorySegment inside = scope.allocate(SPEC).data();
    MemorySegment around = MemorySegment.ofAddress(inside.address() - 64).reinterpret(192);
    around.set(ValueLayout.JAVA_BYTE, 64 + offset, (byte) 0);
    assertThrows(UsageException.class, scope::close);
    assertDoesNotThrow(scope::close);
  }

  @Test
  void everyByteOfATensorMayBeWritten() {
    TensorScope scope = TensorScope.guarded();
    scope.allocate(SPEC).data().fill((byte) 0);
    assertDoesNotThrow(scope::close);
  }

  @ParameterizedTest
  @EnumSource(names = {"FP64", "FP32", "FP16", "BF16"})
  void whatIsNotWrittenIsNotANumber(DType dtype) {
    try (TensorScope scope = TensorScope.guarded()) {
      assertTrue(Double.isNaN(scope.allocate(TensorSpec.of(dtype, 2)).at(1)));
    }
  }
}
