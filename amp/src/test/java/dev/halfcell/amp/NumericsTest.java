package dev.halfcell.amp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.precision.Level;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.Initializer;
import dev.halfcell.nn.MSELoss;
import dev.halfcell.op.precision.CastOverflow;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.optim.Sgd;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.StepResult;
import org.junit.jupiter.api.Test;

/** What the options say about how it is computed in half. */
class NumericsTest {
  private static final AmpOptions OPTIONS = AmpOptions.defaults().backend(new ReferenceBackend());

  /** One step of a dense layer at O2 whose input is beyond FP16. */
  private static StepResult stepBeyondHalf(AmpOptions options) {
    try (TensorScope scope = TensorScope.open();
        TrainStepCell train =
            Amp.buildTrainNetwork(
                new Dense(1, 1, new Initializer.Constant(1), new Initializer.Constant(0)),
                new MSELoss(),
                new Sgd(1e-12),
                Level.O2,
                options)) {
      Tensor x = Tensor.of(scope, TensorSpec.of(DType.FP32, 1, 1), 1e5);
      return train.run(x, Tensor.of(scope, TensorSpec.of(DType.FP32, 1, 1), 65503));
    }
  }

  @Test
  void aCastToHalfGivesAnInfinityUnlessAnotherModeIsAskedFor() {
    AmpOptions unscaled = OPTIONS.lossScale(LossScale.none());
    assertEquals(Double.POSITIVE_INFINITY, stepBeyondHalf(unscaled).loss());
    assertTrue(Double.isNaN(stepBeyondHalf(unscaled.castOverflow(CastOverflow.NAN)).loss()));
    StepResult saturated = stepBeyondHalf(unscaled.castOverflow(CastOverflow.SATURATE));
    assertEquals(1, saturated.loss(), "65504 - 65503, squared");
    assertTrue(saturated.applied());
  }
}
