package dev.halfcell.cpu.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import jdk.incubator.vector.FloatVector;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pooling's work on the channels of a pixel in vectors gives the bits of loops over arrays. */
final class PixelVectorsTest {
  private static final int ROUNDS = 200;
  private static final int ROOM = 200;
  private static final int FROM = 3;
  private static final int TO = 7;
  private static final int PLACE = 2;

  private static final float[] SPECIAL = {
    0f, -0f, 1f, -1f, Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, Float.MIN_VALUE
  };

  private final Random random = new Random(11);

  private float[] numbers() {
    float[] numbers = new float[ROOM];
    for (int i = 0; i < ROOM; i++) {
      numbers[i] =
          random.nextBoolean()
              ? SPECIAL[random.nextInt(SPECIAL.length)]
              : (float) random.nextGaussian();
    }
    return numbers;
  }

  private int[] places() {
    return random.ints(ROOM, -1, PLACE + 2).toArray();
  }

  private static int wholeVectors(int count) {
    return FloatVector.SPECIES_PREFERRED.loopBound(count);
  }

  private static int[] bits(float[] numbers) {
    int[] bits = new int[numbers.length];
    for (int i = 0; i < bits.length; i++) {
      bits[i] = Float.floatToRawIntBits(numbers[i]);
    }
    return bits;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 4, 8, 15, 16, 17, 32, 64, 70})
  void whatIsLargerIsTakenWithItsPlace(int count) {
    for (int round = 0; round < ROUNDS; round++) {
      float[] values = numbers();
      float[] largest = numbers();
      int[] where = places();
      float[] expected = largest.clone();
      int[] expectedWhere = where.clone();
      for (int c = 0; c < wholeVectors(count); c++) {
        float now = expected[TO + c];
        boolean larger = values[FROM + c] > now || Float.isNaN(values[FROM + c]);
        if (expectedWhere[TO + c] < 0 || larger && !Float.isNaN(now)) {
          expected[TO + c] = values[FROM + c];
          expectedWhere[TO + c] = PLACE;
        }
      }
      int done = PixelVectors.meet(values, FROM, largest, where, TO, PLACE, count);
      assertEquals(wholeVectors(count), done);
      assertArrayEquals(bits(expected), bits(largest));
      assertArrayEquals(expectedWhere, where);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 4, 8, 15, 16, 17, 32, 64, 70})
  void aGradientIsAddedWhereItsMaximumCameFrom(int count) {
    for (int round = 0; round < ROUNDS; round++) {
      float[] d = numbers();
      float[] image = numbers();
      int[] where = places();
      float[] expected = image.clone();
      for (int c = 0; c < wholeVectors(count); c++) {
        if (where[FROM + c] == PLACE) {
          expected[TO + c] += d[FROM + c];
        }
      }
      int done = PixelVectors.spread(d, where, FROM, image, TO, PLACE, count);
      assertEquals(wholeVectors(count), done);
      assertArrayEquals(bits(expected), bits(image));
    }
  }
}
