package dev.halfcell.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.amp.Amp;
import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.backend.Backend;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.optim.Momentum;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.zoo.SmallImageResNet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which tasks a training step of a residual network has, at each level. */
@Tag("either")
final class GpuResidualPlanTest {
  private static final int CLASSES = 10;
  private static final List<TensorSpec> BATCH =
      List.of(
          TensorSpec.of(DType.FP32, 2, 1, 16, 16),
          TensorSpec.of(DType.INT64, 2),
          TensorSpec.of(DType.INT64, 2));

  /**
   * Seven normalisations have a ReLU behind them, three of them with the sum of a block; two are of
   * shortcuts. The gradient of the last block's ReLU comes from a pooling and is read twice.
   */
  @ParameterizedTest
  @EnumSource
  void eachReluIsPartOfItsNormalisation(Level level) {
    SmallImageResNet network = new SmallImageResNet(new SmallImageResNet.Config(8, 1, CLASSES));
    AmpOptions options = AmpOptions.defaults().half(DType.FP16);
    try (Backend rig = TestedGpu.open();
        TrainStepCell train =
            Amp.buildTrainNetwork(
                network,
                new SoftmaxCrossEntropyLoss(),
                new Momentum(0.05, 0.9),
                level,
                options.backend(rig))) {
      Map<String, Long> tasks =
          train.loop().report(BATCH).schedule().stream()
              .collect(
                  Collectors.groupingBy(task -> task.label(), TreeMap::new, Collectors.counting()));
      tasks.keySet().removeIf(label -> !label.matches("Add.*|BatchNorm.*|.*Relu.*"));
      assertEquals(
          "{Add=1, AddReluGradient=2, BatchNorm=2, BatchNormGradient=5, BatchNormRelu=7,"
              + " BatchNormReluGradient=4, ReluGradient=1}",
          tasks.toString());
    }
  }
}
