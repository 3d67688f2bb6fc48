package dev.halfcell.amp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.precision.Level;
import dev.halfcell.backend.Graph;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.data.Batch;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Conv2d;
import dev.halfcell.nn.MSELoss;
import dev.halfcell.nn.PReLU;
import dev.halfcell.nn.PositionalEmbedding;
import dev.halfcell.nn.Sequential;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.op.reduction.Sum;
import dev.halfcell.optim.Sgd;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.StepResult;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Parameters that are reshaped or cut before they are used: their gradients are FP32, too. */
final class ArrangedParametersTest {
  private static final int CHANNELS = 4;
  private static final TensorSpec IMAGES = TensorSpec.of(DType.FP32, 16, CHANNELS, 16, 16);
  private static final TensorSpec SEQUENCES = TensorSpec.of(DType.FP32, 2, 5, 4);

  private static TrainStepCell train(Cell net, double scale) {
    AmpOptions options =
        AmpOptions.defaults()
            .backend(new ReferenceBackend())
            .seed(1)
            .lossScale(LossScale.fixed(scale));
    return Amp.buildTrainNetwork(net, new MSELoss(), new Sgd(1e-4), Level.O2, options);
  }

  private static Tensor filled(TensorScope scope, TensorSpec spec, double value) {
    double[] values = new double[Math.toIntExact(spec.size())];
    Arrays.fill(values, value);
    return Tensor.of(scope, spec, values);
  }

  /** Each slope's scaled gradient is a sum of 4,096 times 32: more than FP16 has. */
  @Test
  void theGradientOfASlopeIsSummedInFp32() {
    double scale = 32 * IMAGES.size() / 2.0;
    try (TensorScope scope = TensorScope.open();
        TrainStepCell train = train(new Sequential(new PReLU(CHANNELS)), scale)) {
      StepResult result = train.run(filled(scope, IMAGES, -1), filled(scope, IMAGES, 0.75));
      assertTrue(result.applied(), () -> "the norm is " + result.gradientNorm());
      assertEquals(1, result.gradientNorm(), 1e-6, "0.5 for each of four");
    }
  }

  @Test
  void noSumOfAParametersGradientIsRoundedToHalf() {
    assertWide(new Sequential(new Conv2d(CHANNELS, CHANNELS, 1), new PReLU(CHANNELS)), IMAGES);
    assertWide(PositionalEmbedding.learned(8, 4), SEQUENCES);
  }

  private static void assertWide(Cell net, TensorSpec spec) {
    try (TensorScope scope = TensorScope.open();
        TrainStepCell train = train(net, 1)) {
      Tensor x = filled(scope, spec, 1);
      Tensor samples = scope.allocate(TensorSpec.of(DType.INT64, spec.dim(0)));
      Graph graph = train.loop().trace(new Batch(List.of(x, x), samples).signature());
      List<Graph.Node> sums = graph.nodes().stream().filter(n -> n.op() instanceof Sum).toList();
      assertTrue(!sums.isEmpty());
      for (Graph.Node sum : sums) {
        assertEquals(DType.FP32, graph.slots().get(sum.out().getFirst()).dtype(), sum.toString());
      }
    }
  }
}
