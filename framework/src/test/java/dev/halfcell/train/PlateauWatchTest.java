package dev.halfcell.train;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.backend.Variable;
import dev.halfcell.backend.Variables;
import dev.halfcell.op.update.Plateau;
import dev.halfcell.op.update.Schedule;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PlateauWatchTest {
  private record Kept(Map<Variable, Tensor> values) implements Variables {
    @Override
    public Tensor read(Variable variable) {
      return Objects.requireNonNull(values.get(variable), variable.toString());
    }

    @Override
    public long seed() {
      return 1;
    }
  }

  /** FP32 has neither: what is kept of them lies above the one and above the other. */
  @ParameterizedTest
  @ValueSource(doubles = {0.1, -0.9})
  void aMetricThatStaysIsNotBetterForHowItIsKept(double metric) {
    Plateau rule = new Plateau(new Schedule.Constant(1), 0.5, 2, 0, 0);
    try (TensorScope scope = TensorScope.open()) {
      Variables state =
          new Kept(
              Map.of(
                  Variable.rateFactor(),
                  Tensor.scalar(scope, DType.FP32, 1),
                  Variable.bestMetric(),
                  Tensor.scalar(scope, DType.FP32, Double.POSITIVE_INFINITY),
                  Variable.waitedEpochs(),
                  Tensor.scalar(scope, DType.INT64, 0)));
      for (int epoch = 0; epoch < 4; epoch++) {
        PlateauWatch.epochEnded(state, rule, metric);
      }
      assertEquals(0.5, state.read(Variable.rateFactor()).item());
    }
  }
}
