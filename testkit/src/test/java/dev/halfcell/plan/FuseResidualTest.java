package dev.halfcell.plan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.op.elementwise.ReluGradient;
import dev.halfcell.op.normalization.BatchNorm;
import dev.halfcell.op.normalization.BatchNormGradient;
import dev.halfcell.op.pooling.MaxPool2d;
import dev.halfcell.op.pooling.Window2d;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What residual blocks are made of: normalisations, sums and ReLUs, and their gradients. */
final class FuseResidualTest {
  private static final int[] IMAGE = {2, 3, 4, 4};

  private final Sketch sketch = new Sketch();

  @AfterEach
  void close() {
    sketch.close();
  }

  private Tensor image() {
    return sketch.input(DType.FP32, IMAGE);
  }

  private Tensor channels() {
    return sketch.input(DType.FP32, 3);
  }

  private List<Tensor> norm(Tensor x) {
    return sketch.ops.runAll(new BatchNorm(1e-5), x, channels(), channels());
  }

  private static List<String> fused(Program program) {
    return Sketch.labels(Fusion.fuse(program));
  }

  /** The fused program says the same as the plain one. */
  private void requireSame(Program plain, List<int[]> shapes) {
    Random random = new Random(1);
    Tensor[] inputs =
        shapes.stream()
            .map(shape -> TensorSpec.of(DType.FP32, shape))
            .map(
                spec ->
                    Tensor.of(
                        sketch.scope,
                        spec,
                        random.doubles(spec.size(), -2, 2).map(v -> (float) v).toArray()))
            .toArray(Tensor[]::new);
    List<Tensor> want = sketch.run(plain, inputs);
    List<Tensor> got = sketch.run(Fusion.fuse(plain), inputs);
    for (int i = 0; i < want.size(); i++) {
      assertArrayEquals(want.get(i).toArray(), got.get(i).toArray(), 1e-6, "result " + i);
    }
  }

  private static final int[] CHANNELS = {3};

  @Test
  void reluJoinsTheNormalisationWhoseStatisticsAreReadBefore() {
    List<Tensor> norm = norm(image());
    Tensor doubled = sketch.ops.add(norm.get(1), norm.get(2));
    Program program = sketch.results(sketch.ops.relu(norm.getFirst()), doubled);
    assertEquals(List.of("BatchNormRelu", "Add"), fused(program));
    requireSame(program, List.of(IMAGE, CHANNELS, CHANNELS));
  }

  @Test
  void reluLeavesANormalisationThatIsReadElsewhere() {
    Tensor y = norm(image()).getFirst();
    assertEquals(
        List.of("BatchNorm", "Relu", "Add"),
        fused(sketch.results(sketch.ops.add(sketch.ops.relu(y), y))));
    Tensor result = norm(image()).getFirst();
    assertEquals(
        List.of("BatchNorm", "Relu"), fused(sketch.results(sketch.ops.relu(result), result)));
  }

  @Test
  void theEndOfAResidualBlockIsOneTask() {
    Tensor shortcut = image();
    Tensor branch = norm(image()).getFirst();
    Program program = sketch.results(sketch.ops.relu(sketch.ops.add(branch, shortcut)));
    assertEquals(List.of("BatchNormRelu"), fused(program));
    requireSame(program, List.of(IMAGE, IMAGE, CHANNELS, CHANNELS));
  }

  @Test
  void ofTwoNormalisationsTheLaterOneTakesTheSum() {
    Tensor branch = norm(image()).getFirst();
    Tensor shortcut = norm(image()).getFirst();
    Program program = sketch.results(sketch.ops.relu(sketch.ops.add(branch, shortcut)));
    assertEquals(List.of("BatchNorm", "BatchNormRelu"), fused(program));
    requireSame(program, List.of(IMAGE, CHANNELS, CHANNELS, IMAGE, CHANNELS, CHANNELS));
    Tensor first = norm(image()).getFirst();
    Tensor second = norm(image()).getFirst();
    assertEquals(
        List.of("BatchNorm", "BatchNormRelu"),
        fused(sketch.results(sketch.ops.relu(sketch.ops.add(second, first)))));
  }

  @Test
  void aSummandThatIsNotThereYetStaysOut() {
    Tensor branch = norm(image()).getFirst();
    Tensor late = sketch.ops.sub(image(), image());
    assertEquals(
        List.of("BatchNorm", "Sub", "AddRelu"),
        fused(sketch.results(sketch.ops.relu(sketch.ops.add(branch, late)))));
  }

  @Test
  void aNormalisationAddedToItselfStaysApart() {
    Tensor y = norm(image()).getFirst();
    assertEquals(
        List.of("BatchNorm", "AddRelu"),
        fused(sketch.results(sketch.ops.relu(sketch.ops.add(y, y)))));
  }

  @Test
  void aSumOverOneShapeJoinsItsRelu() {
    Program program = sketch.results(sketch.ops.relu(sketch.ops.add(image(), image())));
    assertEquals(List.of("AddRelu"), fused(program));
    requireSame(program, List.of(IMAGE, IMAGE));
    Tensor row = sketch.input(DType.FP32, 1, 1, 4, 4);
    assertEquals(
        List.of("Add", "Relu"),
        fused(sketch.results(sketch.ops.relu(sketch.ops.add(image(), row)))));
  }

  @Test
  void aSumOfGradientsJoinsTheMask() {
    Tensor sum = sketch.ops.add(image(), image());
    Program program = sketch.results(sketch.ops.run(new ReluGradient(), sum, image()));
    assertEquals(List.of("AddReluGradient"), fused(program));
    requireSame(program, List.of(IMAGE, IMAGE, IMAGE));
  }

  @Test
  void theMaskGoesIntoTheGradientOfTheNormalisation() {
    Tensor masked = sketch.ops.run(new ReluGradient(), image(), image());
    Tensor[] rest = {image(), channels(), channels(), sketch.ops.relu(channels())};
    List<Tensor> out =
        sketch.ops.runAll(new BatchNormGradient(1e-5), masked, rest[0], rest[1], rest[2], rest[3]);
    Program program = sketch.results(out.toArray(Tensor[]::new));
    assertEquals(List.of("Relu", "BatchNormReluGradient"), fused(program));
    requireSame(program, List.of(IMAGE, IMAGE, IMAGE, CHANNELS, CHANNELS, CHANNELS));
    Tensor both = sketch.ops.add(out.getFirst(), masked);
    assertTrue(fused(sketch.results(both)).contains("ReluGradient"));
  }

  /** What is masked is read a second time, as what is normalised. */
  @Test
  void aMaskThatTheNormalisationReadsTwiceStaysApart() {
    Tensor masked = sketch.ops.run(new ReluGradient(), image(), image());
    Tensor gamma = channels();
    Tensor mean = channels();
    Tensor variance = sketch.ops.relu(channels());
    BatchNormGradient op = new BatchNormGradient(1e-5);
    List<Tensor> out = sketch.ops.runAll(op, masked, masked, gamma, mean, variance);
    Program program = sketch.results(out.toArray(Tensor[]::new));
    assertTrue(fused(program).containsAll(List.of("ReluGradient", "BatchNormGradient")));
    requireSame(program, List.of(IMAGE, IMAGE, CHANNELS, CHANNELS, CHANNELS));
  }

  @Test
  void theStatisticsOfANormalisationHaveAReluOfTheirOwn() {
    List<Tensor> norm = norm(image());
    Program program = sketch.results(norm.getFirst(), sketch.ops.relu(norm.get(1)));
    assertEquals(List.of("BatchNorm", "Relu"), fused(program));
    Program alone = sketch.results(sketch.ops.relu(norm(image()).get(1)));
    assertEquals(List.of("BatchNorm", "Relu"), fused(alone));
  }

  @Test
  void theFusionsOfReluLeaveOtherOpsAlone() {
    Tensor x = sketch.input(DType.FP32, 2, 3);
    Tensor layer = sketch.ops.relu(sketch.ops.dense(x, sketch.input(DType.FP32, 4, 3)));
    Tensor sum = sketch.ops.relu(sketch.ops.add(layer, sketch.input(DType.FP32, 2, 4)));
    Tensor wide = sketch.ops.cast(sketch.input(DType.FP16, IMAGE), DType.FP32);
    Tensor norm = sketch.ops.cast(norm(wide).getFirst(), DType.FP16);
    Program program = sketch.results(sum, sketch.ops.relu(norm));
    assertEquals(
        List.of("DenseRelu", "AddRelu", "BatchNormRelu"), Sketch.labels(Fusion.fuseRelu(program)));
    MaxPool2d pool = new MaxPool2d(Window2d.square(2, 2, 0));
    Program pooling = sketch.results(sketch.ops.run(pool, sketch.ops.relu(image())));
    assertEquals(List.of("Relu", "MaxPool2d"), Sketch.labels(Fusion.fuseRelu(pooling)));
    assertEquals(List.of("ReluMaxPool"), fused(pooling));
  }
}
