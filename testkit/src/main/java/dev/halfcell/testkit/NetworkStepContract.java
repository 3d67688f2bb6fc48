package dev.halfcell.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.halfcell.amp.Amp;
import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.backend.Backend;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.backend.Variable;
import dev.halfcell.data.Batch;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.optim.Momentum;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.testkit.NetworkContract.Subject;
import dev.halfcell.train.StepResult;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

/**
 * What steps of networks hold on a backend: at each level two of them move every variable as the
 * reference backend does. (Before the first one, a head that starts at zero hides what is behind.)
 */
public abstract class NetworkStepContract {
  private static final double RATE = 0.05;
  private static final double MOMENTUM = 0.9;
  private static final double SCALE = 1024;
  private static final int STEPS = 2;
  private static final List<SmallTraining> TRAININGS =
      List.of(
          new SmallTraining(Level.O0, DType.FP16),
          new SmallTraining(Level.O1, DType.FP16),
          new SmallTraining(Level.O2, DType.FP16),
          new SmallTraining(Level.O2, DType.BF16),
          new SmallTraining(Level.O3, DType.BF16));

  /**
   * Behind many normalisations and ReLUs, a last bit decides which units pass. Backends may then be
   * as far apart as the reference's half is from its own FP32, each in its direction.
   */
  private static final double OWN = 2;

  /** The networks that are held to the contract. */
  protected abstract List<Subject> subjects();

  /** Opens the backend that they run on. */
  protected abstract Backend open();

  @TestFactory
  final Stream<DynamicNode> everyLevelTakesTheStepOfTheReference() {
    return subjects().stream()
        .map(
            each ->
                dynamicContainer(
                    each.name(),
                    TRAININGS.stream()
                        .map(
                            how ->
                                dynamicTest(
                                    how.toString(),
                                    () -> sameStep(each, how.level(), how.half())))));
  }

  private void sameStep(Subject each, Level level, DType half) {
    try (TensorScope scope = TensorScope.open();
        Backend backend = open();
        Backend plain = new ReferenceBackend();
        TrainStepCell here = train(each, backend, level, half);
        TrainStepCell there = train(each, plain, level, half);
        TrainStepCell full = train(each, plain, Level.O0, half)) {
      Map<Variable, Tensor> start = here.state().snapshot(scope);
      Batch batch = NetworkContract.batch(each, scope);
      double allowed = StepDistance.allowed(level, half);
      for (int step = 0; step < STEPS; step++) {
        StepResult got = here.run(batch);
        StepResult want = there.run(batch);
        full.run(batch);
        assertTrue(want.applied() && got.applied(), want + " and " + got);
        assertEquals(want.loss(), got.loss(), allowed * want.loss());
        assertEquals(want.gradientNorm(), got.gradientNorm(), allowed * want.gradientNorm());
      }
      Map<Variable, Tensor> reference = there.state().values();
      double own = StepDistance.largest(start, full.state().values(), reference);
      double distance = StepDistance.largest(start, reference, here.state().values());
      double most = Math.max(allowed, OWN * own);
      assertTrue(distance <= most, "distance " + distance + ", at most " + most);
    }
  }

  private static TrainStepCell train(Subject each, Backend backend, Level level, DType half) {
    AmpOptions options =
        AmpOptions.defaults()
            .half(half)
            .backend(backend)
            .lossScale(LossScale.dynamic().from(SCALE));
    return Amp.buildTrainNetwork(
        each.make().get(),
        new SoftmaxCrossEntropyLoss(),
        new Momentum(RATE, MOMENTUM),
        level,
        options);
  }
}
