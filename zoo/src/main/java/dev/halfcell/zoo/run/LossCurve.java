package dev.halfcell.zoo.run;

import dev.halfcell.train.TrainEvent;
import dev.halfcell.train.TrainListener;
import java.util.ArrayList;
import java.util.List;

/**
 * The loss over the steps of a run in at most {@value #POINTS} points, however long it is: where
 * there would be more, neighbours become their mean. Steps whose loss is not finite are left out.
 * One thread.
 */
public final class LossCurve implements TrainListener {
  /** The most points that a curve has. */
  public static final int POINTS = 2000;

  /** The mean loss around a step. */
  public record Point(double step, double loss) {}

  private List<Point> points = new ArrayList<>();
  private int stepsPerPoint = 1;
  private double stepSum;
  private double lossSum;
  private int pending;

  @Override
  public void on(TrainEvent event) {
    switch (event) {
      case TrainEvent.StepTaken taken -> {
        if (taken.result().lossFinite()) {
          add(taken.step(), taken.result().loss());
        }
      }
      case TrainEvent.EpochStarted _,
          TrainEvent.OffenderFound _,
          TrainEvent.EpochEnded _,
          TrainEvent.EpochMeasured _,
          TrainEvent.BackendNoticed _ -> {}
    }
  }

  private void add(long step, double loss) {
    stepSum += step;
    lossSum += loss;
    pending++;
    if (pending == stepsPerPoint) {
      points.add(new Point(stepSum / pending, lossSum / pending));
      stepSum = 0;
      lossSum = 0;
      pending = 0;
    }
    if (points.size() == POINTS) {
      halve();
    }
  }

  private void halve() {
    List<Point> half = new ArrayList<>();
    for (int i = 0; i < points.size(); i += 2) {
      Point a = points.get(i);
      Point b = points.get(i + 1);
      half.add(new Point((a.step() + b.step()) / 2, (a.loss() + b.loss()) / 2));
    }
    points = half;
    stepsPerPoint *= 2;
  }

  /** The points so far, in the order of the steps. */
  public List<Point> points() {
    return List.copyOf(points);
  }
}
