package dev.halfcell.cpu.kernel;

import dev.halfcell.tensor.DType;
import java.util.List;
import java.util.Optional;
import jdk.incubator.vector.FloatVector;

/**
 * The loops of {@link ChannelMap} and {@link ChannelSums} that have no gradient (those are {@link
 * ChannelGradients}) in vectors, on elements where they lie: the same bits as over arrays on the
 * heap. Addresses are those of {@code count} elements of one dtype, where {@code count} is a
 * multiple of {@link #length}; element i has its numbers at i of the arrays. In sums, element i
 * belongs to place i modulo {@code width}, which divides {@code count} and is a multiple of {@link
 * #length}. Those of a place are added in the order of its elements.
 *
 * <p>One class for each dtype, and each loop written out: where the JIT does not inline a helper,
 * vectors stay objects, and the loop is slower than the one over the heap (ADR 0007).
 */
sealed interface ChannelVectors permits FloatChannels, Bf16Channels, Fp16Channels {
  /**
   * The loops over operands that all are of one dtype, or none where that is no dtype of theirs or
   * {@link VectorModule#usable} does not hold.
   *
   * @param room for as many floats as are mapped at once
   */
  static Optional<ChannelVectors> of(List<Operand> operands, float[] room) {
    DType dtype = operands.getFirst().dtype();
    if (!VectorModule.usable() || operands.stream().anyMatch(x -> x.dtype() != dtype)) {
      return Optional.empty();
    }
    return switch (dtype) {
      case FP32 -> Optional.of(new FloatChannels());
      case BF16 -> Optional.of(new Bf16Channels());
      case FP16 -> Optional.of(new Fp16Channels(room));
      case FP64, INT64, INT32, UINT8, BOOL -> Optional.empty();
    };
  }

  /** How many elements are computed at once. */
  static int length() {
    return FloatVector.SPECIES_PREFERRED.length();
  }

  /** y = max(b · (x − m) + c, least). */
  void map(long x, long y, Numbers of, float least, int count);

  /** y = max(b · (x − m) + c + z, least). */
  void mapAdded(long x, long z, long y, Numbers of, float least, int count);

  /** Adds x − center to {@code first} and its square to {@code second}. */
  void sums(long x, Totals to, int count, int width);

  /** What elements are multiplied with and moved by. */
  record Numbers(float[] a, float[] b, float[] c, float[] m) {}

  /** What is subtracted from elements, and what their sums are added to. */
  record Totals(double[] center, double[] first, double[] second) {}
}
