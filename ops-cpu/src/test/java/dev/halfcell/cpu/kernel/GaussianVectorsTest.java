package dev.halfcell.cpu.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bit by bit against the loops over arrays, which {@link CurveLoopsTest} holds to the formula. */
final class GaussianVectorsTest {
  private final float[] x = CurveLoopsTest.numbers();
  private final float[] d = new float[x.length];

  GaussianVectorsTest() {
    Random random = new Random(2);
    for (int i = 0; i < d.length; i++) {
      d[i] = (float) random.nextGaussian();
    }
  }

  private float[] by(Flat.Loop loop, float[][] in, int count) {
    float[] y = new float[x.length];
    Arrays.fill(y, 5);
    loop.run(in, new float[][] {y}, count, 0);
    return y;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 8, 16, 33, 512, 1021, Chunk.SIZE})
  void theBitsAreThoseOfTheLoops(int count) {
    float[][] in = {x};
    assertArrayEquals(
        by(GaussianLoops.geluArrays(), in, count), by(new GaussianVectors()::gelu, in, count));
    float[][] withGradient = {d, x};
    assertArrayEquals(
        by(GaussianLoops.slopeArrays(), withGradient, count),
        by(new GaussianVectors()::geluSlope, withGradient, count));
  }
}
