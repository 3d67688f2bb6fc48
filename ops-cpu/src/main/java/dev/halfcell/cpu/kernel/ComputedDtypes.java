package dev.halfcell.cpu.kernel;

import dev.halfcell.tensor.DType;
import java.util.EnumSet;
import java.util.Set;

/**
 * The dtypes that oneDNN has kernels for on this CPU; others are stored, and computed in FP32. With
 * FP16's instructions but no tiles for it (Sapphire Rapids), oneDNN 3.11 has plain code alone for
 * gradients of convolutions by weight, tens of times slower than FP32, and its other kernels of
 * convolutions are slower than FP32 with what is cast for it.
 *
 * @param products those of products of matrices
 * @param convolutions those of convolutions and their gradients
 */
public record ComputedDtypes(Set<DType> products, Set<DType> convolutions) {
  public ComputedDtypes {
    products = Set.copyOf(products);
    convolutions = Set.copyOf(convolutions);
  }

  /**
   * The half dtypes that convolutions store alone: gradients of activations that pass from one to
   * the next stay in FP32.
   */
  public Set<DType> storedByConvolutions() {
    Set<DType> stored = EnumSet.of(DType.FP16, DType.BF16);
    stored.removeAll(convolutions);
    return stored;
  }

  /**
   * The half dtypes that products store alone and take long to widen: weights stay in FP32 once
   * they are rounded. BF16 is not among them, for it is widened by a shift.
   */
  public Set<DType> widenedSlowly() {
    return products.contains(DType.FP16) ? Set.of() : Set.of(DType.FP16);
  }
}
