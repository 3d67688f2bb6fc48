package dev.halfcell.cpu.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.tensor.DType;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ComputedDtypesTest {
  @Test
  void whatProductsAloneComputeInIsStoredByConvolutions() {
    Set<DType> products = Set.of(DType.FP32, DType.FP16, DType.BF16);
    var computed = new ComputedDtypes(products, Set.of(DType.FP32, DType.BF16));
    assertEquals(Set.of(DType.FP16), computed.storedByConvolutions());
    assertEquals(Set.of(), new ComputedDtypes(products, products).storedByConvolutions());
  }

  @Test
  void fp16IsWidenedSlowlyWhereProductsStoreItAlone() {
    Set<DType> bf16 = Set.of(DType.FP32, DType.BF16);
    Set<DType> both = Set.of(DType.FP32, DType.FP16, DType.BF16);
    assertEquals(Set.of(DType.FP16), new ComputedDtypes(bf16, both).widenedSlowly());
    assertEquals(Set.of(), new ComputedDtypes(both, bf16).widenedSlowly());
    assertEquals(Set.of(DType.FP16), new ComputedDtypes(Set.of(), Set.of()).widenedSlowly());
  }
}
