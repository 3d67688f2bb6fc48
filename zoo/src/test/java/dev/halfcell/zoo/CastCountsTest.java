package dev.halfcell.zoo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.amp.precision.Explanation;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.amp.precision.PrecisionOptions;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.nn.TransformerConfig;
import dev.halfcell.nn.TransformerEncoderLayer;
import dev.halfcell.nn.WithLossCell;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What each level casts in three networks, pinned. Who changes a rule sees here what it costs. */
final class CastCountsTest {
  private static String counts(Cell net, List<TensorSpec> inputs) {
    StringBuilder lines = new StringBuilder();
    for (Level level : Level.values()) {
      Explanation.Totals totals =
          Explanation.of(net, inputs, level, PrecisionOptions.defaults()).totals();
      lines.append(
          "%s: %d of %d cells in half, %d casts to half, %d to fp32, %d bytes saved%n"
              .formatted(
                  level,
                  totals.inHalf(),
                  totals.cells(),
                  totals.castsToHalf(),
                  totals.castsToFull(),
                  totals.bytesSaved()));
    }
    return lines.toString();
  }

  /** Of a batch of two; bytes below 0 say that copies in both dtypes are kept. */
  private static String trained(String network) {
    NetworkDefinition definition = Networks.named(network);
    Cell net = new WithLossCell(definition.build(), new SoftmaxCrossEntropyLoss());
    TensorSpec image = definition.sample();
    return counts(net, List.of(image.as(image.shape().behind(2)), TensorSpec.of(DType.INT64, 2)));
  }

  @Test
  void ofLeNet5() {
    assertEquals(
        """
        O0: 0 of 14 cells in half, 0 casts to half, 0 to fp32, 0 bytes saved
        O1: 5 of 14 cells in half, 12 casts to half, 1 to fp32, 28240 bytes saved
        O2: 13 of 14 cells in half, 12 casts to half, 1 to fp32, 28240 bytes saved
        O3: 13 of 14 cells in half, 12 casts to half, 1 to fp32, 28240 bytes saved
        auto: 0 of 14 cells in half, 12 casts to half, 1 to fp32, 28240 bytes saved
        """,
        trained("lenet5"));
  }

  @Test
  void ofResNet20() {
    assertEquals(
        """
        O0: 0 of 88 cells in half, 0 casts to half, 0 to fp32, 0 bytes saved
        O1: 22 of 88 cells in half, 67 casts to half, 43 to fp32, -847616 bytes saved
        O2: 66 of 88 cells in half, 67 casts to half, 43 to fp32, 741632 bytes saved
        O3: 87 of 88 cells in half, 25 casts to half, 1 to fp32, 1544448 bytes saved
        auto: 0 of 88 cells in half, 67 casts to half, 43 to fp32, -847616 bytes saved
        """,
        trained("resnet20"));
  }

  @Test
  void ofATransformerEncoderLayer() {
    assertEquals(
        """
        O0: 0 of 17 cells in half, 0 casts to half, 0 to fp32, 0 bytes saved
        O1: 7 of 17 cells in half, 18 casts to half, 6 to fp32, 960 bytes saved
        O2: 15 of 17 cells in half, 17 casts to half, 4 to fp32, 1280 bytes saved
        O3: 17 of 17 cells in half, 15 casts to half, 1 to fp32, 1280 bytes saved
        auto: 0 of 17 cells in half, 18 casts to half, 6 to fp32, 960 bytes saved
        """,
        counts(
            new TransformerEncoderLayer(new TransformerConfig(8, 2, 16)),
            List.of(TensorSpec.of(DType.FP32, 2, 5, 8))));
  }
}
