package dev.halfcell.gpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.op.precision.GradientCheck;
import dev.halfcell.op.precision.LargestMagnitude;
import dev.halfcell.op.update.ClipByNorm;
import dev.halfcell.op.update.LambRule;
import dev.halfcell.op.update.LearningRate;
import dev.halfcell.op.update.MomentumRule;
import dev.halfcell.op.update.OneCycle;
import dev.halfcell.op.update.RowsRule;
import dev.halfcell.op.update.Schedule;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Updates of sizes, schedules and mistakes that the contract of single ops does not have. */
abstract class UpdatesContract {
  private BesideReference beside;
  private final Random random = new Random(7);

  /** Opens the GPU that is held to the contract. */
  abstract GpuBackend openBackend();

  @BeforeEach
  final void open() {
    beside = new BesideReference(openBackend());
  }

  @AfterEach
  final void close() {
    beside.close();
  }

  private Tensor drawn(int... dims) {
    TensorSpec spec = TensorSpec.of(DType.FP32, dims);
    return Tensor.of(
        beside.scope(), spec, random.doubles(spec.size(), -1, 1).map(v -> (float) v).toArray());
  }

  private Tensor whole(long value) {
    return Tensor.scalar(beside.scope(), DType.INT64, (double) value);
  }

  private Tensor wholes(double... values) {
    return Tensor.of(beside.scope(), TensorSpec.of(DType.INT64, values.length), values);
  }

  @Test
  final void manyGradientsAreCheckedTogether() {
    List<Tensor> all = new ArrayList<>(List.of(Tensor.scalar(beside.scope(), DType.FP32, 1)));
    for (int i = 0; i < 130; i++) {
      all.add(drawn(1 + i % 5, 3));
    }
    all.add(drawn(70_000));
    Tensor[] in = all.toArray(Tensor[]::new);
    double norm = beside.right(new GradientCheck(), in).getLast().item();
    assertEquals(norm, beside.got(new GradientCheck(), in).getLast().item(), 1e-12 * norm);
    assertEquals(1, beside.got(new GradientCheck(), in).getFirst().item());
    double largest = beside.right(new LargestMagnitude(), in).getFirst().item();
    assertEquals(largest, beside.got(new LargestMagnitude(), in).getFirst().item());
    in[129] = Tensor.of(beside.scope(), TensorSpec.of(DType.FP32, 2), 0, Double.NaN);
    assertEquals(0, beside.got(new GradientCheck(), in).getFirst().item());
    assertTrue(Double.isNaN(beside.got(new LargestMagnitude(), in).getFirst().item()));
  }

  @Test
  final void gradientsBeyondTheSquareRootOfFloatsHaveANorm() {
    Tensor loss = Tensor.scalar(beside.scope(), DType.FP32, 1);
    Tensor large = Tensor.of(beside.scope(), TensorSpec.of(DType.FP32, 2), 3e38, -3e38);
    List<Tensor> checked = beside.got(new GradientCheck(), loss, large);
    assertEquals(1, checked.getFirst().item());
    Tensor clipped = beside.got(new ClipByNorm(1), large, checked.getLast()).getFirst();
    assertArrayEquals(new double[] {Math.sqrt(0.5), -Math.sqrt(0.5)}, clipped.toArray(), 1e-6);
  }

  @Test
  final void largeParametersKeepTheirNorms() {
    LambRule rule = new LambRule(0.9, 0.999, 1e-6, 0.01);
    Tensor[] in = {drawn(40_000), drawn(40_000), positive(40_000), drawn(40_000), rate(), whole(3)};
    List<Tensor> right = beside.right(rule, in);
    List<Tensor> got = beside.got(rule, in);
    for (int i = 0; i < right.size(); i++) {
      assertArrayEquals(right.get(i).toArray(), got.get(i).toArray(), 1e-5, "output " + i);
    }
  }

  private Tensor rate() {
    return Tensor.scalar(beside.scope(), DType.FP32, 0.05);
  }

  private Tensor positive(int size) {
    double[] values = random.doubles(size, 0, 1).map(v -> (float) v).toArray();
    return Tensor.of(beside.scope(), TensorSpec.of(DType.FP32, size), values);
  }

  @Test
  final void schedulesFollowTheAppliedSteps() {
    List<Schedule> schedules = new ArrayList<>();
    for (Schedule each : innermost()) {
      schedules.add(each);
      schedules.add(new Schedule.WarmUp(7, new Schedule.Scaled(each, 0.3)));
      schedules.add(new Schedule.Scaled(new Schedule.WarmUp(3, new Schedule.WarmUp(5, each)), 3));
    }
    for (Schedule each : schedules) {
      for (long applied : new long[] {0, 1, 2, 6, 7, 8, 29, 30, 99, 250, 299, 700, 1L << 40}) {
        double right = beside.right(new LearningRate(each), whole(applied)).getFirst().item();
        double got = beside.got(new LearningRate(each), whole(applied)).getFirst().item();
        assertEquals(right, got, Math.ulp((float) right), each + " at " + applied);
      }
    }
  }

  private static List<Schedule> innermost() {
    List<Long> starts = LongStream.range(0, 250).map(i -> 2 * i).boxed().toList();
    List<Double> rates = starts.stream().map(start -> 1.0 / (1 + start)).toList();
    return List.of(
        new Schedule.Constant(0.1),
        new Schedule.Cosine(0.1, 300, 0.001),
        new Schedule.Exponential(0.1, 20, 0.9),
        new OneCycle(0.4, 100),
        new Schedule.Piecewise(starts, rates),
        new Schedule.Polynomial(0.1, 200, 0.01, 2),
        new Schedule.StepDecay(0.1, 30, 0.5));
  }

  @Test
  final void rowsMoveToTheBitsOfTheWholeTable() {
    MomentumRule rule = new MomentumRule(0.9, true, 0.01);
    Tensor w = drawn(5, 3);
    Tensor v = drawn(5, 3);
    Tensor gradient = drawn(5, 3);
    List<Tensor> all = beside.got(rule, w, v, gradient, rate());
    List<Tensor> byRows =
        beside.got(new RowsRule(rule), w, v, gradient, rate(), wholes(0, 1, 2, 3, 4), whole(5));
    for (int i = 0; i < all.size(); i++) {
      assertTrue(all.get(i).sameBits(byRows.get(i)), "output " + i);
    }
  }

  @Test
  final void rowsAndCountsThatAreNoneAreNamedAsOnTheReference() {
    assertNamed(wholes(0, 5, 9), whole(3), "row 5 as element 1");
    assertNamed(wholes(0, -1, 2), whole(2), "row -1 as element 1");
    assertNamed(wholes(0, 1, 2), whole(4), "4");
    assertNamed(wholes(0, 99, 2), whole(-1), "-1");
    assertMoves(wholes(0, 4, 2), whole(2));
    assertMoves(wholes(0, 4, 99), whole(2));
  }

  private void assertMoves(Tensor rows, Tensor count) {
    RowsRule rule = new RowsRule(new MomentumRule(0.9, false, 0));
    Tensor[] in = {drawn(5, 3), drawn(5, 3), drawn(3, 3), rate(), rows, count};
    double[] right = beside.right(rule, in).getFirst().toArray();
    assertArrayEquals(right, beside.got(rule, in).getFirst().toArray(), 1e-6);
  }

  private void assertNamed(Tensor rows, Tensor count, String got) {
    RowsRule rule = new RowsRule(new MomentumRule(0.9, false, 0));
    Tensor[] in = {drawn(5, 3), drawn(5, 3), drawn(3, 3), rate(), rows, count};
    DataException right = assertThrows(DataException.class, () -> beside.right(rule, in));
    DataException e = assertThrows(DataException.class, () -> beside.got(rule, in));
    assertEquals(right.problem(), e.problem());
    assertTrue(e.problem().got().contains(got), e.problem().got());
  }
}
