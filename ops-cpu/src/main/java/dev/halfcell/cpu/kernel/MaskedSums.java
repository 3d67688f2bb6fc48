package dev.halfcell.cpu.kernel;

import static dev.halfcell.cpu.kernel.Transfers.MEMORY;

import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * y = a + b where another tensor is above 0, else 0, in vectors on elements where they lie. Their
 * count is a multiple of {@link ChannelVectors#length}. Only where {@link VectorModule#present}
 * holds; one loop for each dtype (ADR 0007).
 */
final class MaskedSums {
  private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
  private static final int LENGTH = FLOATS.length();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  private MaskedSums() {}

  static void floats(long a, long b, long above, long y, int count) {
    for (int i = 0; i < count; i += LENGTH) {
      VectorMask<Float> counts = load(above, i).compare(VectorOperators.GT, 0f);
      FloatVector.zero(FLOATS)
          .blend(load(a, i).add(load(b, i)), counts)
          .intoMemorySegment(MEMORY, y + 4L * i, ORDER);
    }
  }

  static void halves(long a, long b, long above, long y, int count) {
    for (int i = 0; i < count; i += LENGTH) {
      VectorMask<Float> counts = Bf16Vectors.load(above + 2L * i).compare(VectorOperators.GT, 0f);
      FloatVector sum = Bf16Vectors.load(a + 2L * i).add(Bf16Vectors.load(b + 2L * i));
      Bf16Vectors.store(FloatVector.zero(FLOATS).blend(sum, counts), y + 2L * i);
    }
  }

  /** Floats, where a BF16 is above 0. */
  static void floatsByBf16(long a, long b, long above, long y, int count) {
    for (int i = 0; i < count; i += LENGTH) {
      VectorMask<Float> counts = Bf16Vectors.load(above + 2L * i).compare(VectorOperators.GT, 0f);
      FloatVector.zero(FLOATS)
          .blend(load(a, i).add(load(b, i)), counts)
          .intoMemorySegment(MEMORY, y + 4L * i, ORDER);
    }
  }

  /** Floats, where an FP16 is above 0. */
  static void floatsByFp16(long a, long b, long above, long y, int count) {
    for (int i = 0; i < count; i += LENGTH) {
      FloatVector.zero(FLOATS)
          .blend(load(a, i).add(load(b, i)), Fp16Vectors.above(above + 2L * i))
          .intoMemorySegment(MEMORY, y + 4L * i, ORDER);
    }
  }

  private static FloatVector load(long address, int i) {
    return FloatVector.fromMemorySegment(FLOATS, MEMORY, address + 4L * i, ORDER);
  }
}
