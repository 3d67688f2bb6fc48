package dev.halfcell.gpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.Plan;
import dev.halfcell.gpu.driver.EmulatedGpu;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.HalfCellException;
import dev.halfcell.tensor.MemoryException;
import dev.halfcell.tensor.Tensor;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A training step on the emulated GPU, with what only that can show. */
@Tag("rig")
final class GpuPlanTest extends DevicePlanContract {
  private static final String BEGIN = "cuStreamBeginCapture_v2";
  private static final int CAPTURE_UNSUPPORTED = 900;
  private static final int OUT_OF_MEMORY = 2;

  private final EmulatedGpu rig = EmulatedGpu.build();

  @Override
  GpuBackend openBackend() {
    rig.recover();
    return GpuBackend.open(Optional.of(rig.library()), Optional.of(List.of()));
  }

  @AfterEach
  void allMemoryIsGivenBack() {
    gpu().close();
    assertEquals(0, rig.allocations(), "device memory that was not given back");
  }

  @Test
  void theOrderOfThreadsChangesNothing() {
    rig.seed(1);
    List<double[]> first = train(3, List.of(0, 1));
    for (long seed = 2; seed < 4; seed++) {
      rig.seed(seed);
      List<double[]> again = train(3, List.of(0, 1));
      for (int i = 0; i < first.size(); i++) {
        assertArrayEquals(first.get(i), again.get(i), "seed " + seed + ", variable " + i);
      }
    }
  }

  @Test
  void aRunWaitsForNothingThatItHasQueued() {
    try (TwoLayers state = new TwoLayers(3);
        Plan plan = compile(gpu(), state, state.step(DType.FP32))) {
      plan.run(TwoLayers.batch(scope(), 0));
      plan.run(TwoLayers.batch(scope(), 1));
      long waits = rig.calls("cuStreamSynchronize");
      plan.run(TwoLayers.batch(scope(), 2));
      plan.run(TwoLayers.batch(scope(), 3));
      assertEquals(waits, rig.calls("cuStreamSynchronize"));
    }
  }

  @Test
  void aRunOfPreparedInputsCopiesNoneAndWaitsForNothing() {
    try (TwoLayers state = new TwoLayers(3);
        Plan plan = compile(gpu(), state, state.step(DType.FP32))) {
      List<Tensor> batch = TwoLayers.batch(scope(), 0);
      for (int step = 0; step < 4; step++) {
        long waits = rig.calls("cuStreamSynchronize");
        plan.prepare(() -> Optional.of(batch));
        long copies = rig.calls("cuMemcpyHtoDAsync_v2");
        plan.run(batch);
        if (step > 0) { // the first brings the state
          assertEquals(copies, rig.calls("cuMemcpyHtoDAsync_v2"), "step " + step);
          assertEquals(waits, rig.calls("cuStreamSynchronize"), "step " + step);
        }
      }
      long copies = rig.calls("cuMemcpyHtoDAsync_v2");
      plan.run(batch);
      assertTrue(rig.calls("cuMemcpyHtoDAsync_v2") > copies, "the copies were counted");
    }
  }

  /** Each step brings along what is small, so that nobody has to fetch it. */
  @Test
  void readingSmallResultsTakesNoMemoryAndCopiesNothing() {
    try (TwoLayers state = new TwoLayers(3);
        Plan plan = compile(gpu(), state, state.step(DType.FP32))) {
      plan.run(TwoLayers.batch(scope(), 0)).forEach(Tensor::data);
      plan.run(TwoLayers.batch(scope(), 1)).forEach(Tensor::data);
      List<Tensor> results = plan.run(TwoLayers.batch(scope(), 2));
      List<Long> before = callsOfReading();
      assertTrue(Double.isFinite(results.getFirst().item()));
      assertEquals(before, callsOfReading());
    }
  }

  private List<Long> callsOfReading() {
    return Stream.of("cuMemHostAlloc", "cuMemcpyDtoHAsync_v2", "cuStreamSynchronize")
        .map(rig::calls)
        .toList();
  }

  @Test
  void aPlanThatDoesNotFitIsRefusedAndGivesBackWhatItTook() {
    try (TwoLayers state = new TwoLayers(3)) {
      for (int memory = 4096; memory < 20_000; memory += 512) {
        rig.memory(memory);
        try (Plan plan = compile(gpu(), state, state.step(DType.FP32))) {
          assertTrue(Double.isFinite(plan.run(TwoLayers.batch(scope(), 0)).getFirst().item()));
        } catch (MemoryException e) {
          assertTrue(e.problem().fix().contains("smaller batch"), e.problem().fix());
        }
        assertEquals(0, rig.allocations(), memory + " bytes");
      }
    } finally {
      rig.memory(4L << 30);
    }
  }

  @Test
  void aFailingKernelIsAnErrorWithItsName() {
    try (TwoLayers state = new TwoLayers(3);
        Plan plan = compile(gpu(), state, state.step(DType.FP32))) {
      rig.fail("cuLaunchKernel", 1, 2);
      HalfCellException e =
          assertThrows(HalfCellException.class, () -> plan.run(TwoLayers.batch(scope(), 0)));
      assertEquals("cuLaunchKernel", e.problem().where());
    }
  }

  @Test
  void whatCannotBeRecordedIsDoneLaunchByLaunchAndSaidOnce() {
    List<double[]> recorded = train(3, List.of(0, 1, 2, 3, 4, 5));
    long begun = rig.calls(BEGIN);
    int told = gpu().notices().size();
    try (TwoLayers state = new TwoLayers(3);
        Plan plan = compile(gpu(), state, state.step(DType.FP32))) {
      for (int step = 0; step < 6; step++) {
        rig.fail(BEGIN, CAPTURE_UNSUPPORTED, 0);
        plan.run(TwoLayers.batch(scope(), step));
      }
      for (int i = 0; i < recorded.size(); i++) {
        assertArrayEquals(recorded.get(i), state.all().get(i).toArray(), "variable " + i);
      }
    }
    assertEquals(3, rig.calls(BEGIN) - begun, "tried three times");
    List<String> notices = gpu().notices();
    assertEquals(1, notices.size() - told, notices::toString);
    assertTrue(notices.getLast().startsWith("steps kernel by kernel"), notices.getLast());
    assertTrue(notices.getLast().contains(BEGIN.replace("_v2", "")), notices.getLast());
  }

  @Test
  void aRecordingThatFailsOnceIsMadeByTheNextRun() {
    long launched = rig.calls("cuGraphLaunch");
    int told = gpu().notices().size();
    rig.fail(BEGIN, CAPTURE_UNSUPPORTED, 0);
    train(3, List.of(0, 1, 2, 3));
    assertEquals(2, rig.calls("cuGraphLaunch") - launched);
    assertEquals(told, gpu().notices().size());
  }

  @Test
  void aGraphForWhichThereIsNoMemoryIsDoneWithout() {
    List<double[]> recorded = train(3, List.of(0, 1, 2));
    rig.fail("cuGraphInstantiateWithFlags", OUT_OF_MEMORY, 0);
    List<double[]> without = train(3, List.of(0, 1, 2));
    for (int i = 0; i < recorded.size(); i++) {
      assertArrayEquals(recorded.get(i), without.get(i), "variable " + i);
    }
  }

  /** What was pinned before is given back: who takes a smaller batch then needs it. */
  @Test
  void aPlanThatFindsNoMemoryToPinGivesBackWhatItPinned() {
    try (TwoLayers state = new TwoLayers(3)) {
      for (int after = 0; after < 5; after++) {
        long held = rig.calls("cuMemHostAlloc") - rig.calls("cuMemFreeHost");
        rig.fail("cuMemHostAlloc", OUT_OF_MEMORY, after);
        assertThrows(
            MemoryException.class, () -> compile(gpu(), state, state.step(DType.FP32)).close());
        long failed = 1;
        assertEquals(
            failed, rig.calls("cuMemHostAlloc") - rig.calls("cuMemFreeHost") - held, "" + after);
      }
    }
  }

  @Test
  void anErrorThatIsNotOfTheRecordingIsTold() {
    rig.fail("cuGraphInstantiateWithFlags", 1, 0);
    HalfCellException e = assertThrows(HalfCellException.class, () -> train(3, List.of(0, 1)));
    assertEquals("cuGraphInstantiate", e.problem().where());
  }
}
