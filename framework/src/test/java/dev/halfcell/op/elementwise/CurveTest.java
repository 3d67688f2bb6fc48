package dev.halfcell.op.elementwise;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Values that differences of the same function cannot tell, and what holds at kinks. */
class CurveTest {
  private static final double NEAR = 1e-15;

  @Test
  void valuesAtOne() {
    assertEquals(0.7310585786300049, new Sigmoid().value(1), NEAR);
    assertEquals(0.7615941559557649, new Tanh().value(1), NEAR);
    assertEquals(0.7310585786300049, new Silu().value(1), NEAR);
    assertEquals(0.8413447460685429, new Gelu(false).value(1), NEAR);
    assertEquals(0.8411919906082768, new Gelu(true).value(1), NEAR);
    assertEquals(2.0 / 3, new HardSwish().value(1), NEAR);
    assertEquals(0.5, new Rsqrt().value(4), NEAR);
    assertEquals(2, new Sqrt().value(4), NEAR);
    assertEquals(Math.E, new Exp().value(1), NEAR);
    assertEquals(1, new Log().value(Math.E), NEAR);
    assertEquals(8, new Pow(3).value(2), NEAR);
  }

  @Test
  void atABoundOfAClipNothingMoves() {
    Clip clip = new Clip(-1, 2);
    assertEquals(0, clip.derivative(-1));
    assertEquals(1, clip.derivative(0));
    assertEquals(0, clip.derivative(2));
  }

  @Test
  void atZeroTheSlopeIsThatOfTheLeft() {
    assertEquals(0.1, new LeakyRelu(0.1).derivative(0));
    assertEquals(0.3, new PRelu().slope(0, 0, 0.3));
    assertEquals(0, new PRelu().slope(1, 0, 0.3));
  }

  @Test
  void atItsKinksAHardSwishIsFlatOrALine() {
    assertEquals(0, new HardSwish().derivative(-3));
    assertEquals(1, new HardSwish().derivative(3));
    assertEquals(0.5, new HardSwish().derivative(0));
  }

  @Test
  void ofEqualNumbersTheFirstIsTaken() {
    assertEquals(1, new Maximum().slope(0, 2, 2));
    assertEquals(0, new Maximum().slope(1, 2, 2));
    assertEquals(1, new Minimum().slope(0, 2, 2));
    assertEquals(0, new Minimum().slope(1, 2, 2));
  }
}
