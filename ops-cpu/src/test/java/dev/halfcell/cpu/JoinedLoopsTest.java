package dev.halfcell.cpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Collective;
import dev.halfcell.backend.Graph;
import dev.halfcell.backend.Outcome;
import dev.halfcell.backend.Plan;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.backend.TaskWatch;
import dev.halfcell.backend.TracingExecutor;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Ops;
import dev.halfcell.op.Padding2d;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.op.convolution.Conv2dInputGradient;
import dev.halfcell.op.convolution.Conv2dWeightGradient;
import dev.halfcell.op.elementwise.ReluGradient;
import dev.halfcell.op.normalization.BatchNorm;
import dev.halfcell.op.normalization.BatchNormGradient;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.testkit.NoState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A residual block forward and backward, whose loops over samples go through them together: the
 * same bits as task by task, and near to those of a plan of single ops, whatever lay in the plan's
 * memory before.
 */
final class JoinedLoopsTest {
  private static final Conv2dGeometry SAME =
      new Conv2dGeometry(1, 1, new Padding2d(1, 1, 1, 1), 1, 1, 1);
  private static final TaskWatch NOBODY =
      new TaskWatch() {
        @Override
        public void began() {}

        @Override
        public void ended(int task) {}
      };

  /** A block of one number of channels on a batch of images. */
  private record Block(DType dtype, int batch, int channels, int height, int width) {
    Shape image() {
      return Shape.of(batch, channels, height, width);
    }

    Shape weight() {
      return Shape.of(channels, channels, 3, 3);
    }

    List<TensorSpec> inputs() {
      TensorSpec images = new TensorSpec(dtype, image());
      TensorSpec weights = new TensorSpec(dtype, weight());
      TensorSpec scales = new TensorSpec(DType.FP32, Shape.of(channels));
      return List.of(images, images, weights, weights, scales, scales);
    }

    /**
     * Weights' gradients, statistics and the gradients of scales: no image, for these lie alike.
     */
    List<Tensor> describe(Ops ops, List<Tensor> in) {
      Tensor w1 = in.get(2);
      Tensor w2 = in.get(3);
      Tensor gamma = in.get(4);
      Tensor beta = in.get(5);
      BatchNorm norm = new BatchNorm(1e-5, false);
      Tensor x1 = ops.conv2d(SAME, in.get(0), w1);
      List<Tensor> n1 = ops.runAll(norm, x1, gamma, beta);
      Tensor y1 = ops.relu(n1.getFirst());
      Tensor x2 = ops.conv2d(SAME, y1, w2);
      List<Tensor> n2 = ops.runAll(norm, x2, gamma, beta);
      Tensor y2 = ops.relu(ops.add(n2.getFirst(), y1));
      Tensor x3 = ops.conv2d(SAME, y2, w1);
      List<Tensor> n3 = ops.runAll(norm, x3, gamma, beta);
      Tensor d = ops.run(new ReluGradient(), in.get(1), y2);
      List<Tensor> g2 = back(ops, d, x2, gamma, n2);
      Tensor dy1 = ops.run(new Conv2dInputGradient(SAME, image()), g2.getFirst(), w2);
      Tensor dw2 = ops.run(byWeight(), g2.getFirst(), y1);
      Tensor sum = ops.run(new ReluGradient(), ops.add(dy1, d), y1);
      List<Tensor> g1 = back(ops, sum, x1, gamma, n1);
      Tensor dw1 = ops.run(byWeight(), g1.getFirst(), in.get(0));
      List<Tensor> results = new ArrayList<>(List.of(dw1, dw2));
      List.of(n1, n2, n3, g1, g2).forEach(three -> results.addAll(three.subList(1, 3)));
      return results;
    }

    private Conv2dWeightGradient byWeight() {
      return new Conv2dWeightGradient(SAME, weight(), true);
    }

    private static List<Tensor> back(Ops ops, Tensor d, Tensor x, Tensor gamma, List<Tensor> n) {
      return ops.runAll(new BatchNormGradient(1e-5), d, x, gamma, n.get(1), n.get(2));
    }

    List<Tensor> draw(TensorScope scope, long seed) {
      Random random = new Random(seed);
      List<Tensor> drawn = new ArrayList<>();
      for (TensorSpec spec : inputs()) {
        double scale = spec.shape().equals(weight()) ? 1 / Math.sqrt(9.0 * channels) : 1;
        Tensor tensor = scope.allocate(spec);
        for (int i = 0; i < spec.size(); i++) {
          double value = scale * random.nextGaussian();
          Elements.set(tensor.data(), spec.dtype(), i, spec.rank() == 1 ? 1 + value / 8 : value);
        }
        drawn.add(tensor);
      }
      return drawn;
    }

    Plan plan(Backend cpu, PlanOptions options) {
      NoState none = new NoState();
      TracingExecutor tracing = new TracingExecutor(none);
      List<Tensor> in = inputs().stream().map(tracing::input).toList();
      Graph graph = tracing.graph(Outcome.of(describe(new Ops(tracing, CellPath.ROOT), in)));
      return cpu.compile(graph, none, options, Collective.single());
    }
  }

  private static long joined(Plan plan) {
    return plan.report().schedule().stream()
        .filter(task -> task.kernel().endsWith("with next"))
        .count();
  }

  private static List<Tensor> copies(TensorScope scope, List<Tensor> results) {
    return results.stream().map(scope::copy).toList();
  }

  private static void assertSameBits(List<Tensor> expected, List<Tensor> actual) {
    for (int i = 0; i < expected.size(); i++) {
      assertTrue(expected.get(i).sameBits(actual.get(i)), "result " + i);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "FP32,  6, 16,  8,  8, 2, true", // all of a part at once
    "FP32, 17, 16, 33, 31, 2, true", // two samples at a time, and one in the end
    "FP32, 64, 48, 14, 14, 2, true", // in Winograd's form, four at a time
    "FP32, 23, 32, 20, 19, 2, true", // the same, with a rest
    "BF16, 21, 16, 64, 33, 2, true",
    "BF16, 40, 24,  9, 32, 3, true",
    "FP16, 17, 16, 40, 40, 2, true",
    "FP32, 24,  5,  7,  9, 2, true",
    "FP32,  3, 16,  8,  8, 2, false", // not shared out evenly by samples
    "FP32,  2, 16,  8,  8, 3, false"
  })
  void samplesTogetherGiveTheBitsOfTaskByTaskAndThoseOfAPlainPlanNearly(
      DType dtype, int batch, int channels, int height, int width, int threads, boolean joins) {
    Block block = new Block(dtype, batch, channels, height, width);
    try (TensorScope scope = TensorScope.open();
        Backend cpu = CpuBackend.open(threads);
        Plan full = block.plan(cpu, PlanOptions.FULL);
        Plan plain = block.plan(cpu, PlanOptions.PLAIN)) {
      assertEquals(joins, joined(full) > 0, full.report().schedule().toString());
      assertEquals(0, joined(plain));
      List<Tensor> in = block.draw(scope, 1);
      List<Tensor> alone = copies(scope, plain.run(in));
      List<Tensor> first = copies(scope, full.run(in));
      assertSameBits(first, copies(scope, full.run(in, NOBODY)));
      assertSameBits(first, full.run(in));
      // In a half the roundings that a full plan leaves out decide which side of 0 some sums are
      // on.
      for (int i = 0; i < alone.size() && dtype == DType.FP32; i++) {
        assertNear(alone.get(i).toArray(), first.get(i).toArray(), "result " + i);
      }
    }
  }

  private static void assertNear(double[] expected, double[] actual, String what) {
    double largest = Arrays.stream(expected).map(Math::abs).max().orElseThrow();
    double most = 0;
    for (int i = 0; i < expected.length; i++) {
      most = Math.max(most, Math.abs(expected[i] - actual[i]) / largest);
    }
    assertTrue(most <= 1e-5, what + ": " + most);
  }

  /** Sums around an element of a batch are around one of this one, and of its own. */
  @Test
  void whatLayInThePlanBeforeDoesNotCount() {
    Block block = new Block(DType.FP32, 9, 16, 33, 31);
    try (TensorScope scope = TensorScope.open();
        Backend cpu = CpuBackend.open(2);
        Plan fresh = block.plan(cpu, PlanOptions.FULL);
        Plan used = block.plan(cpu, PlanOptions.FULL)) {
      List<Tensor> in = block.draw(scope, 1);
      List<Tensor> lost = block.draw(scope, 2);
      Tensor image = lost.getFirst();
      for (int i = 0; i < image.spec().size(); i++) {
        Elements.set(image.data(), DType.FP32, i, Double.NaN);
      }
      assertTrue(Double.isNaN(used.run(lost).getFirst().toArray()[0]));
      List<Tensor> results = copies(scope, used.run(in));
      assertFalse(Double.isNaN(results.getFirst().toArray()[0]));
      assertSameBits(copies(scope, fresh.run(in)), results);
    }
  }

  /** Each sample of the sum reads all of the vector. */
  @Test
  void aVectorThatIsAddedToEachSampleIsComputedBefore() {
    int size = 600;
    try (TensorScope scope = TensorScope.open();
        Backend cpu = CpuBackend.open(2)) {
      NoState none = new NoState();
      TracingExecutor tracing = new TracingExecutor(none);
      Ops ops = new Ops(tracing, CellPath.ROOT);
      Tensor vector = tracing.input(TensorSpec.of(DType.FP32, size));
      Tensor matrix = tracing.input(TensorSpec.of(DType.FP32, size, size));
      Graph graph = tracing.graph(Outcome.of(List.of(ops.add(matrix, ops.relu(vector)))));
      double[] one = new double[size];
      Arrays.fill(one, 1);
      Tensor ones = Tensor.of(scope, vector.spec(), one);
      try (Plan plan = cpu.compile(graph, none, PlanOptions.FULL, Collective.single())) {
        assertEquals(0, joined(plan));
        List<Tensor> in = List.of(ones, scope.allocate(matrix.spec()));
        assertTrue(Arrays.stream(plan.run(in).getFirst().toArray()).allMatch(x -> x == 1));
      }
    }
  }

  /** Each thread's samples lie at a level of their own. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void statisticsOfPartsAtLevelsFarFromEachOtherAreThoseOfAll(boolean stable) {
    TensorSpec spec = TensorSpec.of(DType.FP32, 18, 16, 8, 8);
    try (TensorScope scope = TensorScope.open();
        Backend cpu = CpuBackend.open(2)) {
      double[] values = new Random(3).doubles(spec.size()).toArray();
      for (int i = 0; i < values.length; i++) {
        values[i] = (float) (values[i] + (i < values.length / 2 ? 1e4 : -3e4));
      }
      double[] ones = new double[16];
      Arrays.fill(ones, 1);
      Tensor one = Tensor.of(scope, TensorSpec.of(DType.FP32, 16), ones);
      Tensor x = Tensor.of(scope, spec, values);
      Ops ops = new Ops(cpu.eager(scope), CellPath.ROOT);
      Ops exact = new Ops(new ReferenceBackend().eager(scope), CellPath.ROOT);
      BatchNorm norm = new BatchNorm(1e-5, stable);
      List<Tensor> got = ops.runAll(norm, x, one, one);
      List<Tensor> wanted = exact.runAll(norm, x, one, one);
      for (int i = 1; i < 3; i++) {
        assertArrayEquals(wanted.get(i).toArray(), got.get(i).toArray(), "statistic " + i);
      }
    }
  }
}
