package dev.halfcell.train;

import dev.halfcell.backend.Variable;
import dev.halfcell.backend.Variables;
import dev.halfcell.op.update.Plateau;
import dev.halfcell.op.update.Schedule;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;

/**
 * The host's part of a {@link Plateau} schedule, whose state is part of a run's. A {@link Trainer}
 * calls it at the end of each epoch; an own loop does it itself, on {@link TrainLoop#own}.
 */
public final class PlateauWatch {
  private PlateauWatch() {}

  static void declare(StepState state) {
    Plateau.State start = Plateau.State.start();
    state.declare(Variable.rateFactor(), TensorSpec.of(DType.FP32), start.factor());
    state.declare(Variable.bestMetric(), TensorSpec.of(DType.FP32), start.best());
    state.declare(Variable.waitedEpochs(), TensorSpec.of(DType.INT64), (double) start.waited());
  }

  /**
   * An epoch with this metric is over: the lower, the better. It is compared as the best one is
   * kept, in FP32: else the same metric again would be better than what was kept of it.
   */
  public static void epochEnded(Variables state, Plateau rule, double metric) {
    Plateau.State now =
        new Plateau.State(
            state.read(Variable.rateFactor()).item(),
            state.read(Variable.bestMetric()).item(),
            (long) state.read(Variable.waitedEpochs()).item());
    Plateau.State next = rule.next(now, (float) metric);
    write(state.read(Variable.rateFactor()), next.factor());
    write(state.read(Variable.bestMetric()), next.best());
    write(state.read(Variable.waitedEpochs()), (double) next.waited());
  }

  private static void write(Tensor scalar, double value) {
    Elements.set(scalar.write(), scalar.dtype(), 0, value);
  }

  /** The rate of the step to come. */
  static double rate(Variables state, Schedule schedule) {
    double rate = schedule.rate((long) state.read(Variable.applied()).item());
    return schedule.plateau().isPresent() ? rate * state.read(Variable.rateFactor()).item() : rate;
  }
}
