package dev.halfcell.nn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.op.Size2d;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Shape;
import dev.halfcell.train.TrainState;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongToDoubleFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The spread of start values, and that they follow from seed, path and shape alone. */
class InitializerTest {
  private static final Shape DENSE = Shape.of(300, 200);
  private static final Shape CONVOLUTION = Shape.of(64, 32, 5, 5);

  @Test
  void fansAreCountedThroughTheKernel() {
    assertEquals(200, Initializer.fanIn(DENSE));
    assertEquals(300, Initializer.fanOut(DENSE));
    assertEquals(32 * 25, Initializer.fanIn(CONVOLUTION));
    assertEquals(64 * 25, Initializer.fanOut(CONVOLUTION));
  }

  @Test
  void spreadFollowsFromTheFans() {
    assertUniform(Math.sqrt(6.0 / 500), new Initializer.XavierUniform(), DENSE);
    assertUniform(Math.sqrt(6.0 / 2400), new Initializer.XavierUniform(), CONVOLUTION);
    assertUniform(Math.sqrt(6.0 / 200), new Initializer.HeUniform(), DENSE);
    assertUniform(Math.sqrt(6.0 / 800), new Initializer.HeUniform(), CONVOLUTION);
    assertUniform(0.3, new Initializer.Uniform(0.3), DENSE);
    assertSpread(Math.sqrt(2.0 / 500), new Initializer.XavierNormal(), DENSE);
    assertSpread(Math.sqrt(2.0 / 2400), new Initializer.XavierNormal(), CONVOLUTION);
    assertSpread(Math.sqrt(2.0 / 200), new Initializer.HeNormal(), DENSE);
    assertSpread(Math.sqrt(2.0 / 800), new Initializer.HeNormal(), CONVOLUTION);
    assertSpread(0.3, new Initializer.Normal(0.3), DENSE);
  }

  /** 4.55 % of a normal distribution lies beyond two deviations; a third of it beyond one. */
  @Test
  void aTruncatedNormalEndsAtTwoDeviations() {
    double[] drawn = values(new Initializer.TruncatedNormal(0.5), DENSE, 7);
    assertTrue(LongStream.range(0, drawn.length).allMatch(i -> Math.abs(drawn[(int) i]) <= 1));
    assertSpread(0.5 * 0.87962566, new Initializer.TruncatedNormal(0.5), DENSE);
    double beyondOne =
        LongStream.range(0, drawn.length).filter(i -> Math.abs(drawn[(int) i]) > 0.5).count();
    assertEquals(0.2847, beyondOne / drawn.length, 0.01);
  }

  @Test
  void orthogonalRowsAreOfLengthOneAndAtRightAngles() {
    for (Shape shape : List.of(Shape.of(7, 20), Shape.of(20, 7), Shape.of(6, 2, 3), DENSE)) {
      assertOrthogonal(shape);
    }
  }

  private static void assertOrthogonal(Shape shape) {
    double[] drawn = values(new Initializer.Orthogonal(2), shape, 3);
    int rows = shape.dim(0);
    int columns = drawn.length / rows;
    int count = Math.min(rows, columns);
    for (int a = 0; a < count; a++) {
      for (int b = 0; b < count; b++) {
        double product = 0;
        for (int i = 0; i < Math.max(rows, columns); i++) {
          product +=
              rows <= columns
                  ? drawn[a * columns + i] * drawn[b * columns + i]
                  : drawn[i * columns + a] * drawn[i * columns + b];
        }
        assertEquals(a == b ? 4 : 0, product, 1e-12, shape.toString());
      }
    }
  }

  /** Each element of a random orthogonal matrix of n columns has mean 0 and variance 1 / n. */
  @Test
  void orthogonalMatricesPreferNoDirection() {
    double sum = 0;
    double squares = 0;
    int matrices = 4000;
    for (int stream = 0; stream < matrices; stream++) {
      double first = values(new Initializer.Orthogonal(1), Shape.of(3, 4), stream)[0];
      sum += first;
      squares += first * first;
    }
    assertEquals(0, sum / matrices, 0.03);
    assertEquals(0.25, squares / matrices, 0.02);
  }

  @Test
  void onlyWeightsHaveFans() {
    assertThrows(ArgumentException.class, () -> new Initializer.HeNormal().values(Shape.of(5), 1));
    assertThrows(
        ArgumentException.class, () -> new Initializer.Orthogonal(1).values(Shape.SCALAR, 1));
  }

  /** A layer starts the same with others built before it, and at another place differently. */
  @Test
  void valuesFollowFromSeedAndPathAlone() {
    Initializer start = new Initializer.Orthogonal(1);
    Cell alone = new Sequential(Map.of("b", dense(start)));
    Map<String, Cell> two = new LinkedHashMap<>();
    two.put("a", dense(start));
    two.put("b", dense(start));
    try (TrainState one = TrainState.of(alone, 5);
        TrainState same = TrainState.of(new Sequential(two), 5);
        TrainState seed = TrainState.of(alone, 6)) {
      assertArrayEquals(weight(one, "/b"), weight(same, "/b"));
      assertNotEquals(weight(same, "/a")[0], weight(same, "/b")[0]);
      assertNotEquals(weight(one, "/b")[0], weight(seed, "/b")[0]);
    }
  }

  private static Dense dense(Initializer weights) {
    return new Dense(4, 4, weights, new Initializer.Constant(0));
  }

  @Test
  void convolutionsTakeInitializers() {
    Initializer seven = new Initializer.Constant(7);
    Cell net =
        new Conv2d(
            2,
            3,
            Size2d.square(3),
            ConvolutionOptions.defaults(),
            seven,
            new Initializer.Constant(1));
    try (TrainState state = TrainState.of(net, 1)) {
      double[] sums =
          state.values().values().stream()
              .mapToDouble(value -> Arrays.stream(value.toArray()).sum())
              .toArray();
      assertArrayEquals(new double[] {7 * 54, 3}, sums);
    }
  }

  private static double[] weight(TrainState state, String cell) {
    return state.values().entrySet().stream()
        .filter(each -> each.getKey().path().text().equals(cell + "/weight"))
        .map(each -> each.getValue().toArray())
        .findFirst()
        .orElseThrow();
  }

  private static double[] values(Initializer initializer, Shape shape, long stream) {
    LongToDoubleFunction values = initializer.values(shape, stream);
    return LongStream.range(0, shape.size()).mapToDouble(values).toArray();
  }

  private static void assertUniform(double bound, Initializer initializer, Shape shape) {
    double[] drawn = values(initializer, shape, 11);
    assertEquals(-bound, Arrays.stream(drawn).min().orElseThrow(), 0.002 * bound);
    assertEquals(bound, Arrays.stream(drawn).max().orElseThrow(), 0.002 * bound);
    assertSpread(bound / Math.sqrt(3), initializer, shape);
  }

  /** Mean 0 and this deviation; five standard errors of some 50,000 numbers are about 2 %. */
  private static void assertSpread(double deviation, Initializer initializer, Shape shape) {
    double[] drawn = values(initializer, shape, 11);
    double sum = 0;
    double squares = 0;
    for (double each : drawn) {
      sum += each;
      squares += each * each;
    }
    assertEquals(0, sum / drawn.length, 0.02 * deviation);
    assertEquals(deviation, Math.sqrt(squares / drawn.length), 0.02 * deviation);
  }

  @Test
  void numbersThatMakeNoSenseAreRefused() {
    for (double wrong : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThrows(ArgumentException.class, () -> new Initializer.Constant(wrong));
      assertThrows(ArgumentException.class, () -> new Initializer.Uniform(wrong));
      assertThrows(ArgumentException.class, () -> new Initializer.Normal(wrong));
      assertThrows(ArgumentException.class, () -> new Initializer.TruncatedNormal(wrong));
      assertThrows(ArgumentException.class, () -> new Initializer.Orthogonal(wrong));
    }
    assertThrows(ArgumentException.class, () -> new Initializer.Uniform(-1));
    assertThrows(ArgumentException.class, () -> new Initializer.Normal(-1));
    assertThrows(ArgumentException.class, () -> new Initializer.TruncatedNormal(-1));
    Initializer row = new Initializer.ZeroRow(new Initializer.Constant(1), 3);
    assertThrows(ArgumentException.class, () -> row.values(Shape.of(3, 2), 0));
    assertThrows(
        ArgumentException.class, () -> new Initializer.ZeroRow(new Initializer.Constant(1), -1));
  }
}
