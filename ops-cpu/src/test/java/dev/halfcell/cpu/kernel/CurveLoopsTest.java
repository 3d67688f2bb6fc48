package dev.halfcell.cpu.kernel;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.op.elementwise.Abs;
import dev.halfcell.op.elementwise.Clip;
import dev.halfcell.op.elementwise.Curve;
import dev.halfcell.op.elementwise.Exp;
import dev.halfcell.op.elementwise.Gelu;
import dev.halfcell.op.elementwise.HardSwish;
import dev.halfcell.op.elementwise.LeakyRelu;
import dev.halfcell.op.elementwise.Log;
import dev.halfcell.op.elementwise.Pow;
import dev.halfcell.op.elementwise.Rsqrt;
import dev.halfcell.op.elementwise.Sigmoid;
import dev.halfcell.op.elementwise.Silu;
import dev.halfcell.op.elementwise.Sqrt;
import dev.halfcell.op.elementwise.Tanh;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Every function and derivative against the op's own formula, over all kinds of floats. */
final class CurveLoopsTest {
  /** One of each kind; powers of every kind. */
  static final Curve[] CURVES = {
    new Abs(),
    new Clip(-1, 0.1),
    new Clip(0, Double.POSITIVE_INFINITY),
    new Exp(),
    new Gelu(false),
    new Gelu(true),
    new HardSwish(),
    new LeakyRelu(0.01),
    new LeakyRelu(0),
    new Log(),
    new Pow(0),
    new Pow(1),
    new Pow(2),
    new Pow(3),
    new Pow(-1),
    new Pow(-3),
    new Pow(0.5),
    new Pow(-1.7),
    new Pow(2.3),
    new Pow(17),
    new Pow(1e300),
    new Rsqrt(),
    new Sigmoid(),
    new Silu(),
    new Sqrt(),
    new Tanh()
  };

  private static final float[] SPECIAL = {
    0f,
    -0f,
    1,
    -1,
    3,
    -3,
    6,
    -6,
    0.1f,
    Float.MIN_VALUE,
    -Float.MIN_VALUE,
    Float.MIN_NORMAL,
    Float.MAX_VALUE,
    -Float.MAX_VALUE,
    Float.POSITIVE_INFINITY,
    Float.NEGATIVE_INFINITY,
    Float.NaN
  };

  /** Special ones, those around 0, and those of any size. */
  static float[] numbers() {
    Random random = new Random(7);
    float[] x = new float[Chunk.SIZE];
    for (int i = 0; i < x.length; i++) {
      float near = (float) (8 * random.nextGaussian());
      float any = Float.intBitsToFloat(random.nextInt());
      x[i] = i < SPECIAL.length ? SPECIAL[i] : i % 2 == 0 ? near : any;
    }
    return x;
  }

  /** The same float, one of its neighbours, or both NaN. */
  static void assertBeside(float want, float got, String what) {
    boolean beside =
        Float.isNaN(want)
            ? Float.isNaN(got)
            : got == want || got == Math.nextUp(want) || got == Math.nextDown(want);
    assertTrue(beside, () -> what + ": wanted " + want + ", got " + got);
  }

  @ParameterizedTest
  @FieldSource("CURVES")
  void valuesAreTheNearestFloatOrTheOneBeside(Curve curve) {
    float[] x = numbers();
    float[][] y = {new float[x.length]};
    CurveLoops.of(curve).run(new float[][] {x}, y, x.length, 0);
    for (int i = 0; i < x.length; i++) {
      assertBeside((float) curve.value(x[i]), y[0][i], curve + " of " + x[i]);
    }
  }

  @ParameterizedTest
  @FieldSource("CURVES")
  void gradientsAreTheNearestFloatOrTheOneBeside(Curve curve) {
    float[] kept = numbers();
    float[] d = new float[kept.length];
    for (int i = 0; i < d.length; i++) {
      d[i] = i < 100 ? 1 : 1 + i % 7;
    }
    float[][] dx = {new float[d.length]};
    CurveSlopes.of(curve).run(new float[][] {d, kept}, dx, d.length, 0);
    for (int i = 0; i < d.length; i++) {
      float want = (float) (d[i] * curve.derivative(kept[i]));
      assertBeside(want, dx[0][i], curve + " at " + kept[i]);
    }
  }
}
