package dev.halfcell.cpu.kernel;

import static dev.halfcell.cpu.kernel.Bf16Vectors.nans;
import static dev.halfcell.cpu.kernel.Bf16Vectors.put;
import static dev.halfcell.cpu.kernel.Bf16Vectors.rounded;
import static dev.halfcell.cpu.kernel.Bf16Vectors.widened;
import static dev.halfcell.cpu.kernel.FloatVectors.FLOATS;
import static dev.halfcell.cpu.kernel.FloatVectors.kept;
import static dev.halfcell.cpu.kernel.FloatVectors.load;
import static dev.halfcell.cpu.kernel.FloatVectors.store;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;

/**
 * y = a + b where another tensor is above 0, else 0, in vectors on elements where they lie. Their
 * count is a multiple of {@link ChannelVectors#length}. Only where {@link VectorModule#usable}
 * holds; one loop for each dtype (ADR 0007).
 */
final class MaskedSums {
  private static final int LENGTH = FLOATS.length();

  private MaskedSums() {}

  static void floats(long a, long b, long above, long y, int count) {
    for (int i = 0; i < count; i += LENGTH) {
      FloatVector sum = load(a + 4L * i).add(load(b + 4L * i));
      store(kept(sum, load(above + 4L * i)), y + 4L * i);
    }
  }

  static void halves(long a, long b, long above, long y, int count) {
    for (int i = 0; i < count; i += LENGTH) {
      FloatVector sum =
          widened(Bf16Vectors.halves(a + 2L * i)).add(widened(Bf16Vectors.halves(b + 2L * i)));
      FloatVector result = kept(sum, widened(Bf16Vectors.halves(above + 2L * i)));
      put(rounded(result.reinterpretAsInts(), nans(result)), y + 2L * i);
    }
  }

  /** Floats, where a BF16 is above 0. */
  static void floatsByBf16(long a, long b, long above, long y, int count) {
    for (int i = 0; i < count; i += LENGTH) {
      FloatVector sum = load(a + 4L * i).add(load(b + 4L * i));
      store(kept(sum, widened(Bf16Vectors.halves(above + 2L * i))), y + 4L * i);
    }
  }

  /** Floats, where an FP16 is above 0. */
  static void floatsByFp16(long a, long b, long above, long y, int count) {
    for (int i = 0; i < count; i += LENGTH) {
      FloatVector sum = load(a + 4L * i).add(load(b + 4L * i));
      VectorMask<Float> counts = Fp16Vectors.above(Fp16Vectors.bits(above + 2L * i));
      store(FloatVector.zero(FLOATS).blend(sum, counts), y + 4L * i);
    }
  }
}
