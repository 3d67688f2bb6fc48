package dev.halfcell.train;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.backend.Variable;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.MSELoss;
import dev.halfcell.nn.WithLossCell;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.op.update.Plateau;
import dev.halfcell.op.update.Schedule;
import dev.halfcell.optim.Sgd;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PlateauWatchTest {
  /** FP32 has neither: what is kept of them lies above both. */
  @ParameterizedTest
  @ValueSource(doubles = {0.1, -0.9})
  void aMetricThatStaysIsNotBetterForHowItIsKept(double metric) {
    Plateau rule = new Plateau(new Schedule.Constant(1), 0.5, 2, 0, 0);
    Cell net = new WithLossCell(new Dense(1, 1), new MSELoss());
    Sgd sgd = new Sgd(rule, 0);
    TrainStep step =
        new TrainStep(net, PrecisionRules.none(), LossScale.fixed(1), Recipe.standard(net, sgd));
    try (Backend backend = new ReferenceBackend();
        TrainState state = TrainState.of(net, sgd, 1);
        TrainLoop loop = new TrainLoop(step, state, backend, new Execution.Eager())) {
      for (int epoch = 0; epoch < 4; epoch++) {
        PlateauWatch.epochEnded(loop.own(), rule, metric);
      }
      assertEquals(0.5, loop.own().read(Variable.rateFactor()).item());
    }
  }
}
