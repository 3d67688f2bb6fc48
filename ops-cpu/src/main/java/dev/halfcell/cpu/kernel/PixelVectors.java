package dev.halfcell.cpu.kernel;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * What {@link MaxPool} and {@link MaxPoolGradient} do with the channels of a pixel, in vectors,
 * with the same bits. Only where {@link VectorModule#usable} holds. Each method returns how many of
 * {@code count} channels it did: all whole vectors.
 */
final class PixelVectors {
  private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Integer> PLACES =
      VectorSpecies.of(int.class, VectorShape.forBitSize(FLOATS.vectorBitSize()));

  private PixelVectors() {}

  /** Takes the numbers from {@code from} on, and their place, where they are the largest so far. */
  static int meet(
      float[] values, int from, float[] largest, int[] where, int to, int place, int count) {
    int bound = FLOATS.loopBound(count);
    for (int c = 0; c < bound; c += FLOATS.length()) {
      FloatVector value = FloatVector.fromArray(FLOATS, values, from + c);
      FloatVector now = FloatVector.fromArray(FLOATS, largest, to + c);
      IntVector places = IntVector.fromArray(PLACES, where, to + c);
      VectorMask<Float> stays =
          value.compare(VectorOperators.LE, now).or(now.test(VectorOperators.IS_NAN));
      VectorMask<Float> taken = stays.not().or(places.compare(VectorOperators.LT, 0).cast(FLOATS));
      now.blend(value, taken).intoArray(largest, to + c);
      places.blend(place, taken.cast(PLACES)).intoArray(where, to + c);
    }
    return bound;
  }

  /** Adds the gradients from {@code from} on whose maximum came from a place. */
  static int spread(float[] d, int[] where, int from, float[] image, int to, int place, int count) {
    int bound = FLOATS.loopBound(count);
    for (int c = 0; c < bound; c += FLOATS.length()) {
      VectorMask<Float> meant =
          IntVector.fromArray(PLACES, where, from + c)
              .compare(VectorOperators.EQ, place)
              .cast(FLOATS);
      FloatVector sum = FloatVector.fromArray(FLOATS, image, to + c);
      sum.add(FloatVector.fromArray(FLOATS, d, from + c), meant).intoArray(image, to + c);
    }
    return bound;
  }
}
