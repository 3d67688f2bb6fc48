package dev.halfcell.cpu.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ActivationsTest {
  private static final float INFINITY = Float.POSITIVE_INFINITY;

  static Stream<Activations> ways() {
    return Stream.of(new ActivationArrays(), new ActivationVectors());
  }

  @Test
  void vectorsAreUsedWhereJavaHasThem() {
    assertInstanceOf(ActivationVectors.class, Activations.make());
  }

  @ParameterizedTest
  @MethodSource("ways")
  void areTheNearestFloatOrTheOneBeside(Activations activations) {
    float[] x = CurveLoopsTest.numbers();
    float[] tanh = x.clone();
    float[] sigmoid = x.clone();
    activations.tanh(tanh, 0, x.length);
    activations.sigmoid(sigmoid, 0, x.length);
    for (int i = 0; i < x.length; i++) {
      CurveLoopsTest.assertBeside((float) StrictMath.tanh(x[i]), tanh[i], "tanh " + x[i]);
      float want = (float) (1 / (1 + StrictMath.exp(-(double) x[i])));
      CurveLoopsTest.assertBeside(want, sigmoid[i], "sigmoid " + x[i]);
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void areSoAllAlongTheirWayToTheEnds(Activations activations) {
    float[] x = new float[42_001];
    for (int i = 0; i < x.length; i++) {
      x[i] = (i - 21_000) / 200f;
    }
    float[] tanh = x.clone();
    float[] sigmoid = x.clone();
    for (int i = 0; i < x.length; i++) {
      tanh[i] /= 11;
    }
    activations.tanh(tanh, 0, x.length);
    activations.sigmoid(sigmoid, 0, x.length);
    for (int i = 0; i < x.length; i++) {
      float small = x[i] / 11;
      CurveLoopsTest.assertBeside((float) StrictMath.tanh(small), tanh[i], "tanh " + small);
      float want = (float) (1 / (1 + StrictMath.exp(-(double) x[i])));
      CurveLoopsTest.assertBeside(want, sigmoid[i], "sigmoid " + x[i]);
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void endWhereTheyEndAndKeepWhatIsNoNumber(Activations activations) {
    float[] x = {INFINITY, -INFINITY, Float.NaN, 5};
    activations.tanh(x, 0, 3);
    assertArrayEquals(new float[] {1, -1, Float.NaN, 5}, x);
    float[] y = {5, INFINITY, -INFINITY, Float.NaN};
    activations.sigmoid(y, 1, 4);
    assertArrayEquals(new float[] {5, 1, 0, Float.NaN}, y);
    assertEquals(0f, y[2], "or infinity times it would stay infinite");
  }

  @ParameterizedTest
  @MethodSource("ways")
  void goBlockByBlock(Activations activations) {
    float[] x = new float[3 * Exponentials.BLOCK];
    Arrays.fill(x, 1);
    activations.tanh(x, 1, x.length - 1);
    assertEquals(1, x[0]);
    assertEquals(1, x[x.length - 1]);
    for (int i = 1; i < x.length - 1; i++) {
      assertEquals((float) Math.tanh(1), x[i], "place " + i);
    }
  }

  @Test
  void bothWaysGiveTheSameBits() {
    float[] all = CurveLoopsTest.numbers();
    for (int from = 0; from < 3; from++) {
      for (int to = from; to < all.length; to += 391) {
        float[][] tanh = {all.clone(), all.clone()};
        float[][] sigmoid = {all.clone(), all.clone()};
        List<Activations> ways = ways().toList();
        for (int way = 0; way < 2; way++) {
          ways.get(way).tanh(tanh[way], from, to);
          ways.get(way).sigmoid(sigmoid[way], from, to);
        }
        assertArrayEquals(tanh[0], tanh[1]);
        assertArrayEquals(sigmoid[0], sigmoid[1]);
      }
    }
  }
}
