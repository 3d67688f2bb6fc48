package dev.halfcell.zoo.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

final class LossCurveTest {
  private final LossCurve curve = new LossCurve();

  @Test
  void shortRunsKeepEveryStepWhoseLossIsFinite() {
    curve.on(Steps.clean(1, 2.5, 1));
    curve.on(Steps.overflow(2, Double.POSITIVE_INFINITY, 1));
    curve.on(Steps.overflow(3, 2.25, 1));
    assertEquals(
        List.of(new LossCurve.Point(1, 2.5), new LossCurve.Point(3, 2.25)), curve.points());
  }

  @Test
  void longRunsKeepTheMeansOfNeighbours() {
    int steps = 3 * LossCurve.POINTS;
    for (int step = 1; step <= steps; step++) {
      curve.on(Steps.clean(step, 2.0 * step, 1));
    }
    List<LossCurve.Point> points = curve.points();
    assertTrue(points.size() < LossCurve.POINTS && points.size() >= LossCurve.POINTS / 2);
    double step = (1 + steps / (double) points.size()) / 2;
    for (LossCurve.Point point : points) {
      assertEquals(step, point.step(), 1e-9);
      assertEquals(2 * step, point.loss(), 1e-9);
      step += steps / (double) points.size();
    }
  }
}
