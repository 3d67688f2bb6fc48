package dev.halfcell.testkit;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.Amp;
import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.backend.Variable;
import dev.halfcell.data.Batch;
import dev.halfcell.nn.BatchNorm2d;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Conv2d;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.Flatten;
import dev.halfcell.nn.MaxPool2d;
import dev.halfcell.nn.ReLU;
import dev.halfcell.nn.Residual;
import dev.halfcell.nn.Sequential;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.optim.Momentum;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.train.StepResult;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Every combination of level, loss scale, normalisation and half trains a small residual network:
 * it is no error, repeats to the bit, and its loss after four applied steps is that of O0 but for
 * the half's rounding. The network's gradients stay within FP16 at a scale of 2¹⁶.
 */
public abstract class PrecisionMatrixContract extends OnBackend {
  private static final int STEPS = 4;

  private record Combination(
      Level level, LossScale scale, Optional<Boolean> keepBatchNormFp32, DType half) {
    private AmpOptions options() {
      AmpOptions options = AmpOptions.defaults().lossScale(scale).half(half);
      return keepBatchNormFp32.map(options::keepBatchNormFp32).orElse(options);
    }
  }

  private static Stream<Combination> combinations() {
    List<LossScale> scales =
        List.of(LossScale.none(), LossScale.fixed(1), LossScale.fixed(128), LossScale.dynamic());
    return Stream.of(Level.values())
        .flatMap(
            level ->
                scales.stream()
                    .flatMap(
                        scale ->
                            Stream.of(
                                    Optional.<Boolean>empty(),
                                    Optional.of(true),
                                    Optional.of(false))
                                .flatMap(
                                    keep ->
                                        Stream.of(DType.FP16, DType.BF16)
                                            .map(
                                                half ->
                                                    new Combination(level, scale, keep, half)))));
  }

  private static Cell network() {
    return new Sequential(
        new Conv2d(2, 4, 3),
        new BatchNorm2d(4),
        new ReLU(),
        new Residual(new Sequential(new Conv2d(4, 4, 1), new BatchNorm2d(4), new ReLU())),
        new MaxPool2d(2),
        new Flatten(),
        new Dense(100, 5));
  }

  /**
   * What a training comes to.
   *
   * @param losses of four steps and of one more
   * @param state every value after them
   */
  private record Trained(List<Double> losses, Map<Variable, List<Double>> state) {
    double loss() {
      return losses.getLast();
    }
  }

  private Trained trained(Level level, AmpOptions options) {
    Momentum optimizer = new Momentum(0.01, 0.5);
    try (TensorScope scope = TensorScope.open();
        TrainStepCell train =
            Amp.buildTrainNetwork(
                network(),
                new SoftmaxCrossEntropyLoss(),
                optimizer,
                level,
                options.backend(backend()))) {
      Batch batch = SmallTraining.batch(scope, 1, 16);
      List<Double> losses =
          Stream.generate(() -> train.run(batch)).limit(STEPS + 1).map(this::loss).toList();
      Map<Variable, List<Double>> state = new LinkedHashMap<>();
      train
          .state()
          .values()
          .forEach((v, value) -> state.put(v, Arrays.stream(value.toArray()).boxed().toList()));
      return new Trained(losses, state);
    }
  }

  private double loss(StepResult result) {
    assertTrue(result.applied(), "none of these steps overflows");
    return result.loss();
  }

  @TestFactory
  final Stream<DynamicTest> everyCombinationTrainsLikeO0() {
    double full = trained(Level.O0, AmpOptions.defaults()).loss();
    assertEquals(120, combinations().count());
    return combinations()
        .map(
            each ->
                DynamicTest.dynamicTest(
                    each.toString(),
                    () -> {
                      Trained once = trained(each.level(), each.options());
                      double most = each.half() == DType.FP16 ? 1e-3 : 1e-2;
                      assertAll(
                          () -> assertEquals(full, once.loss(), most),
                          () -> assertEquals(once, trained(each.level(), each.options())));
                    }));
  }
}
