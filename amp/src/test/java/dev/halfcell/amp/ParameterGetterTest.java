package dev.halfcell.amp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.precision.Level;
import dev.halfcell.amp.precision.ParameterGetter;
import dev.halfcell.amp.precision.PrecisionOptions;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.backend.Variable;
import dev.halfcell.data.Batch;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.MSELoss;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.op.CellPath;
import dev.halfcell.optim.Momentum;
import dev.halfcell.optim.Sgd;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import dev.halfcell.train.Execution;
import dev.halfcell.train.Inference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What cells see of their parameters. */
final class ParameterGetterTest {
  private static final AmpOptions OPTIONS =
      AmpOptions.defaults().backend(new ReferenceBackend()).seed(7);

  /** Weights on the grid of FP16, biases as they are. */
  private static final ParameterGetter ROUNDED =
      (path, value, ops) -> path.text().endsWith("weight") ? ops.cast(value, DType.FP16) : value;

  @ParameterizedTest
  @EnumSource(Level.class)
  void eagerAndPlanHaveTheSameBits(Level level) {
    AmpOptions options = OPTIONS.getter(ROUNDED);
    try (TensorScope scope = TensorScope.open();
        TrainStepCell eager = train(level, options.execution(new Execution.Eager()));
        TrainStepCell plan =
            train(level, options.execution(new Execution.Planned(PlanOptions.PLAIN)));
        TrainStepCell without =
            train(level, OPTIONS.execution(new Execution.Planned(PlanOptions.PLAIN)))) {
      for (int i = 0; i < 3; i++) {
        Batch batch = Points.batch(scope, i, 8);
        assertEquals(eager.run(batch), plan.run(batch));
        without.run(batch);
      }
      assertTrue(Points.sameBits(eager.state().values(), plan.state().values()));
      assertEquals(
          level == Level.O0,
          !Points.sameBits(without.state().values(), plan.state().values()),
          "where weights are cast to half anyway it changes nothing");
    }
  }

  private static TrainStepCell train(Level level, AmpOptions options) {
    return Amp.buildTrainNetwork(
        Points.network(), new SoftmaxCrossEntropyLoss(), new Momentum(0.1, 0.9), level, options);
  }

  /**
   * y = (2w)·x for x = 3, w = 1/4, label 0: loss 9/4, and by w not 2·y·x = 9 but twice that. The
   * state keeps w itself.
   */
  @Test
  void gradientsGoThroughWhatIsHandedOut() {
    List<CellPath> asked = new ArrayList<>();
    ParameterGetter twice =
        (path, value, ops) -> {
          asked.add(path);
          assertEquals(DType.FP32, value.dtype());
          return ops.add(value, value);
        };
    Dense net = new Dense(1, 1, false);
    Variable weight = new Variable(Variable.Kind.PARAMETER, new CellPath("/weight"));
    try (TensorScope scope = TensorScope.open();
        TrainStepCell train =
            Amp.buildTrainNetwork(
                net, new MSELoss(), new Sgd(1.0 / 64), Level.O0, OPTIONS.getter(twice))) {
      TensorSpec one = TensorSpec.of(DType.FP32, 1, 1);
      train.state().assign(weight, Tensor.of(scope, one, 0.25));
      Tensor x = Tensor.of(scope, one, 3);
      try (Inference inference = train.inference()) {
        assertEquals(1.5, inference.run(x).item());
      }
      assertEquals(2.25, train.run(x, Tensor.of(scope, one, 0)).loss());
      assertEquals(0.25 - 18.0 / 64, train.state().read(weight).item());
    }
    assertEquals(List.of(new CellPath("/weight"), new CellPath("/weight")), asked);
  }

  @Test
  void itIsNotAskedForRunningStatistics() {
    ParameterGetter noStatistics =
        (path, value, _) -> {
          assertTrue(
              !path.text().endsWith("/mean") && !path.text().endsWith("/variance"), path::text);
          return value;
        };
    try (TensorScope scope = TensorScope.open();
        TrainStepCell train = train(Level.O2, OPTIONS.getter(noStatistics))) {
      assertTrue(train.run(Points.batch(scope, 0, 8)).applied());
    }
  }

  @Test
  void itWorksInACellWithItsOwnPrecisionToo() {
    PrecisionOptions zero =
        PrecisionOptions.defaults().getter((_, value, ops) -> ops.sub(value, value));
    try (TensorScope scope = TensorScope.open();
        TrainStepCell train =
            Amp.buildTrainNetwork(
                Amp.autoMixedPrecision(new Dense(1, 1), Level.O1, zero),
                new MSELoss(),
                new Sgd(0.5),
                Level.O0,
                OPTIONS)) {
      Tensor one = Tensor.of(scope, TensorSpec.of(DType.FP32, 1, 1), 1);
      assertEquals(1, train.run(one, one).loss());
    }
  }

  @Test
  void whatHasAnotherShapeIsRefused() {
    ParameterGetter summed = (_, value, ops) -> ops.sum(value, false, 0);
    try (TensorScope scope = TensorScope.open();
        TrainStepCell train = train(Level.O0, OPTIONS.getter(summed))) {
      UsageException e =
          assertThrows(UsageException.class, () -> train.run(Points.batch(scope, 0, 8)));
      assertEquals("/0/weight", e.problem().where());
    }
  }
}
