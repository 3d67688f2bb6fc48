package dev.halfcell.gpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Collective;
import dev.halfcell.backend.Graph;
import dev.halfcell.backend.Plan;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a training step of two layers does on any GPU: forward, backward and update. */
abstract class DevicePlanContract {
  private final TensorScope scope = TensorScope.open();
  private GpuBackend gpu;

  /** Opens the GPU that is held to the contract. */
  abstract GpuBackend openBackend();

  @BeforeEach
  final void open() {
    gpu = openBackend();
  }

  @AfterEach
  final void close() {
    gpu.close();
    scope.close();
  }

  final TensorScope scope() {
    return scope;
  }

  final GpuBackend gpu() {
    return gpu;
  }

  static Plan compile(Backend backend, TwoLayers state, Graph step) {
    return backend.compile(step, state, PlanOptions.PLAIN, Collective.single());
  }

  @Test
  void aStepComputesWhatTheReferenceComputes() {
    assertTrainsAsTheReference();
  }

  final void assertTrainsAsTheReference() {
    try (TwoLayers on = new TwoLayers(3);
        TwoLayers right = new TwoLayers(3);
        Backend reference = new ReferenceBackend();
        Plan plan = compile(gpu, on, on.step(DType.FP32));
        Plan expected = compile(reference, right, right.step(DType.FP32))) {
      for (int step = 0; step < 5; step++) {
        List<Tensor> batch = TwoLayers.batch(scope, step);
        double loss = plan.run(batch).getFirst().item();
        assertEquals(expected.run(batch).getFirst().item(), loss, 1e-5, "loss of step " + step);
      }
      for (int i = 0; i < on.all().size(); i++) {
        assertArrayEquals(
            right.all().get(i).toArray(), on.all().get(i).toArray(), 1e-5, "variable " + i);
      }
    }
  }

  @Test
  void replayedGraphsGiveTheBitsOfSingleLaunches() {
    List<double[]> replayed = train(3, List.of(0, 1, 2, 3));
    List<double[]> single = trainWithNewPlans(3, List.of(0, 1, 2, 3));
    for (int i = 0; i < single.size(); i++) {
      assertArrayEquals(single.get(i), replayed.get(i), "variable " + i);
    }
  }

  final List<double[]> train(long seed, List<Integer> steps) {
    try (TwoLayers state = new TwoLayers(seed);
        Plan plan = compile(gpu, state, state.step(DType.FP32))) {
      steps.forEach(step -> plan.run(TwoLayers.batch(scope, step)));
      return state.all().stream().map(Tensor::toArray).toList();
    }
  }

  /** The first run of a plan launches its kernels one by one. */
  private List<double[]> trainWithNewPlans(long seed, List<Integer> steps) {
    try (TwoLayers state = new TwoLayers(seed)) {
      for (int step : steps) {
        try (Plan plan = compile(gpu, state, state.step(DType.FP32))) {
          plan.run(TwoLayers.batch(scope, step));
        }
      }
      return state.all().stream().map(Tensor::toArray).toList();
    }
  }

  @Test
  void aRunOfPreparedInputsGivesTheBitsOfAnother() {
    assertSameBits(prepared(List.of(0, 1, 2, 3), List.of(1, 2, 3)));
  }

  /** Of inputs that are not run, or come too late, or fit another plan. */
  @Test
  void whatIsPreparedForNothingChangesNothing() {
    assertSameBits(prepared(List.of(0, 1, 2, 3), List.of(5, 6, 7)));
    assertSameBits(prepared(List.of(0, 1, 2, 3), List.of(2, 0, 3)));
    try (TwoLayers state = new TwoLayers(3);
        Plan plan = compile(gpu, state, state.step(DType.FP32))) {
      plan.prepare(() -> Optional.of(TwoLayers.batch(scope, DType.FP16, 1)));
      plan.prepare(() -> Optional.of(TwoLayers.batch(scope, 1)));
      plan.prepare(() -> Optional.of(TwoLayers.badBatch(scope)));
      plan.prepare(Optional::empty);
      List.of(0, 1, 2, 3).forEach(step -> plan.run(TwoLayers.batch(scope, step)));
      assertSameBits(state.all().stream().map(Tensor::toArray).toList());
    }
  }

  private void assertSameBits(List<double[]> got) {
    List<double[]> expected = train(3, List.of(0, 1, 2, 3));
    for (int i = 0; i < expected.size(); i++) {
      assertArrayEquals(expected.get(i), got.get(i), "variable " + i);
    }
  }

  /** Trains on batches, and has one prepared behind each step as long as there are some. */
  private List<double[]> prepared(List<Integer> steps, List<Integer> ahead) {
    List<List<Tensor>> batches =
        IntStream.range(0, 8).mapToObj(i -> TwoLayers.batch(scope, i)).toList();
    try (TwoLayers state = new TwoLayers(3);
        Plan plan = compile(gpu, state, state.step(DType.FP32))) {
      for (int i = 0; i < steps.size(); i++) {
        Tensor loss = plan.run(batches.get(steps.get(i))).getFirst();
        if (i < ahead.size()) {
          List<Tensor> next = batches.get(ahead.get(i));
          plan.prepare(() -> Optional.of(next));
        }
        assertTrue(Double.isFinite(loss.item()));
      }
      return state.all().stream().map(Tensor::toArray).toList();
    }
  }

  /** The step that was refused is told of first. */
  @Test
  void aLabelThatIsNoClassIsToldOfWhereItsBatchWasPrepared() {
    try (TwoLayers state = new TwoLayers(3);
        Plan plan = compile(gpu, state, state.step(DType.FP32))) {
      List<Tensor> bad = TwoLayers.badBatch(scope);
      plan.run(TwoLayers.batch(scope, 0));
      plan.prepare(() -> Optional.of(bad));
      Tensor loss = plan.run(bad).getFirst();
      List<Tensor> next = TwoLayers.batch(scope, 1);
      plan.prepare(() -> Optional.of(next));
      assertThrows(DataException.class, loss::item);
      assertTrue(Double.isFinite(plan.run(next).getFirst().item()), "the plan goes on");
    }
  }

  @Test
  void whatTheHostWritesIntoTheStateIsTrainedOn() {
    try (TwoLayers state = new TwoLayers(3);
        Plan plan = compile(gpu, state, state.step(DType.FP32))) {
      List<Tensor> batch = TwoLayers.batch(scope, 0);
      double first = plan.run(batch).getFirst().item();
      state.restart();
      assertEquals(first, plan.run(batch).getFirst().item());
    }
  }

  @Test
  void aStepThatIsRefusedAssignsNothing() {
    try (TwoLayers state = new TwoLayers(3);
        Plan plan = compile(gpu, state, state.step(DType.FP32))) {
      List<Tensor> batch = TwoLayers.batch(scope, 0);
      plan.run(batch);
      List<double[]> before = state.all().stream().map(Tensor::toArray).toList();
      plan.run(List.of(batch.get(0), batch.get(1), Tensor.scalar(scope, DType.BOOL, 0)));
      for (int i = 0; i < before.size(); i++) {
        assertArrayEquals(before.get(i), state.all().get(i).toArray(), "variable " + i);
      }
    }
  }

  @Test
  void aLabelThatIsNoClassIsNamedAndChangesNothing() {
    try (TwoLayers state = new TwoLayers(3);
        Plan plan = compile(gpu, state, state.step(DType.FP32))) {
      List<double[]> before = state.all().stream().map(Tensor::toArray).toList();
      Tensor loss = plan.run(TwoLayers.badBatch(scope)).getFirst();
      DataException e = assertThrows(DataException.class, loss::item);
      assertTrue(e.problem().message().contains("label 9 in row 2"), e.problem().message());
      assertThrows(DataException.class, loss::item, "what is refused once is refused again");
      for (int i = 0; i < before.size(); i++) {
        assertArrayEquals(before.get(i), state.all().get(i).toArray(), "variable " + i);
      }
      double good = plan.run(TwoLayers.batch(scope, 0)).getFirst().item();
      assertTrue(Double.isFinite(good), "the plan goes on");
    }
  }

  @Test
  void aLabelThatIsNoClassStopsTheTrainingOfOneWhoReadsNoLoss() {
    try (TwoLayers state = new TwoLayers(3);
        Plan plan = compile(gpu, state, state.step(DType.FP32))) {
      plan.run(TwoLayers.badBatch(scope));
      plan.run(TwoLayers.batch(scope, 1));
      assertThrows(DataException.class, () -> plan.run(TwoLayers.batch(scope, 2)));
    }
  }

  @Test
  void halfPrecisionProductsAreRoundedOnce() {
    for (DType half : List.of(DType.FP16, DType.BF16)) {
      try (TwoLayers on = new TwoLayers(3);
          TwoLayers right = new TwoLayers(3);
          Backend reference = new ReferenceBackend();
          Plan plan = compile(gpu, on, on.forward(half));
          Plan expected = compile(reference, right, right.forward(half))) {
        List<Tensor> batch = TwoLayers.batch(scope, half, 0);
        double[] logits = plan.run(batch).getFirst().toArray();
        double[] wanted = expected.run(batch).getFirst().toArray();
        assertArrayEquals(wanted, logits, half == DType.FP16 ? 2e-3 : 2e-2, half.label());
      }
    }
  }
}
