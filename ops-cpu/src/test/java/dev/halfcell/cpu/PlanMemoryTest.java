package dev.halfcell.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.halfcell.amp.Amp;
import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.backend.Backend;
import dev.halfcell.backend.PlanReport;
import dev.halfcell.data.Batch;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Conv2d;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.Flatten;
import dev.halfcell.nn.GELU;
import dev.halfcell.nn.MaxPool2d;
import dev.halfcell.nn.ReLU;
import dev.halfcell.nn.Sequential;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Executor;
import dev.halfcell.op.normalization.LayerNorm;
import dev.halfcell.op.normalization.RmsNorm;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.optim.Momentum;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.MemoryException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Plans take their memory once, and give it back. */
final class PlanMemoryTest {
  private static final long PAGE = 4096;
  private static final long MEBIBYTE = 1 << 20;

  private static TrainStepCell train(Backend backend) {
    Sequential net =
        new Sequential(
            new Conv2d(1, 6, 5), new ReLU(), new MaxPool2d(2), new Flatten(), new Dense(864, 10));
    AmpOptions options =
        AmpOptions.defaults().half(DType.BF16).backend(backend).lossScale(LossScale.fixed(1024));
    return Amp.buildTrainNetwork(
        net, new SoftmaxCrossEntropyLoss(), new Momentum(0.01, 0.9), Level.O2, options);
  }

  private static Batch batch(TensorScope scope) {
    return new Batch(
        List.of(
            scope.allocate(TensorSpec.of(DType.FP32, 64, 1, 28, 28)),
            scope.allocate(TensorSpec.of(DType.INT64, 64))),
        scope.allocate(TensorSpec.of(DType.INT64, 64)));
  }

  private static long residentBytes() throws IOException {
    String[] pages = Files.readString(Path.of("/proc/self/statm")).split(" ");
    return Long.parseLong(pages[1]) * PAGE;
  }

  /**
   * Until the compiler has been over a loop its vectors are on the heap, and on a busy machine that
   * takes long; what a step allocates by itself is there in each round.
   */
  @Test
  void aThousandRunsTakeNoMemory() throws IOException {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (Backend backend = CpuBackend.open(2);
        TensorScope scope = TensorScope.open();
        TrainStepCell train = train(backend)) {
      Batch batch = batch(scope);
      run(train, batch, 200);
      long resident = residentBytes();
      long least = Long.MAX_VALUE;
      for (int round = 0; round < 4; round++) {
        long allocated = threads.getCurrentThreadAllocatedBytes();
        run(train, batch, 250);
        least = Math.min(least, (threads.getCurrentThreadAllocatedBytes() - allocated) / 250);
      }
      long grown = residentBytes() - resident;
      assertTrue(least < 32_768, least + " bytes of heap for each step");
      assertTrue(grown < 48 * MEBIBYTE, grown + " bytes more after 1,000 steps");
    }
  }

  private static void run(TrainStepCell train, Batch batch, int steps) {
    for (int i = 0; i < steps; i++) {
      train.run(batch);
    }
  }

  @Test
  void aClosedPlanLeavesNoNativeObject() {
    try (CpuBackend backend = CpuBackend.open(2);
        TensorScope scope = TensorScope.open()) {
      try (TrainStepCell train = train(backend)) {
        run(train, batch(scope), 2);
        assertTrue(backend.nativeObjects() > 50, backend.nativeObjects() + " native objects");
      }
      assertEquals(0, backend.nativeObjects());
    }
  }

  /** A plan of many kernels works in no more of the heap than one of few. */
  @Test
  void kernelsWorkInTheSameHeap() {
    try (Backend backend = CpuBackend.open(2);
        TensorScope scope = TensorScope.open();
        TrainStepCell shallow = curves(backend, 1);
        TrainStepCell deep = curves(backend, 9)) {
      Batch batch = batch(scope);
      PlanReport one = shallow.loop().report(batch.signature());
      PlanReport nine = deep.loop().report(batch.signature());
      assertTrue(nine.schedule().size() > one.schedule().size() + 15, nine.toString());
      assertTrue(one.heapBytes() > 2 * 3 * 16_384, one.heapBytes() + " bytes");
      assertEquals(one.heapBytes(), nine.heapBytes());
    }
  }

  private static TrainStepCell curves(Backend backend, int count) {
    List<Cell> cells = new ArrayList<>(List.of(new Flatten(), new Dense(784, 10)));
    IntStream.range(0, count).forEach(_ -> cells.add(new GELU()));
    return Amp.buildTrainNetwork(
        new Sequential(cells.toArray(Cell[]::new)),
        new SoftmaxCrossEntropyLoss(),
        new Momentum(0.01, 0.9),
        Level.O2,
        AmpOptions.defaults().half(DType.BF16).backend(backend));
  }

  /** What worked in the same memory before leaves nothing to a kernel that counts on zeros. */
  @Test
  void aKernelSeesNothingOfTheOneBefore() {
    try (Backend backend = CpuBackend.open(2);
        TensorScope scope = TensorScope.open()) {
      Tensor x = Tensor.of(scope, TensorSpec.of(DType.FP32, 1, 4), 1, -2, 3, 4);
      Tensor ones = Tensor.of(scope, TensorSpec.of(DType.FP32, 4), 1, 1, 1, 1);
      Tensor shift = Tensor.of(scope, TensorSpec.of(DType.FP32, 4), 10, 20, 30, 40);
      Executor ops = backend.eager(scope);
      Tensor alone = ops.execute(new RmsNorm(1e-5), List.of(x, ones), CellPath.ROOT).getFirst();
      var _ = ops.execute(new LayerNorm(1e-5), List.of(x, ones, shift), CellPath.ROOT);
      Tensor after =
          ops.execute(new RmsNorm(1e-5), List.of(x, ones), new CellPath("/other")).getFirst();
      assertEquals(-1, alone.data().mismatch(after.data()));
    }
  }

  /** The Java heap may grow in one round or two; what is lost grows in each. */
  @Test
  void closedPlansGiveTheirMemoryBack() throws IOException {
    try (Backend backend = CpuBackend.open(2);
        TensorScope scope = TensorScope.open()) {
      Batch batch = batch(scope);
      compileAndClose(backend, batch, 60);
      long least = Long.MAX_VALUE;
      for (int round = 0; round < 3; round++) {
        long resident = residentBytes();
        compileAndClose(backend, batch, 80);
        least = Math.min(least, residentBytes() - resident);
      }
      assertTrue(least < 60 * MEBIBYTE, least + " bytes more in each round of 80 plans");
    }
  }

  private static void compileAndClose(Backend backend, Batch batch, int times) {
    for (int i = 0; i < times; i++) {
      try (TrainStepCell train = train(backend)) {
        run(train, batch, 1);
      }
    }
  }

  @Test
  void isZeroOnABoundaryAndGivenBackOnce() {
    PlanMemory memory = PlanMemory.of(3 * MEBIBYTE + 1);
    MemorySegment data = memory.data();
    assertEquals(3 * MEBIBYTE + 1, data.byteSize());
    assertEquals(0, data.address() % 64);
    try (TensorScope scope = TensorScope.open()) {
      assertEquals(-1, data.mismatch(scope.allocate(data.byteSize())));
    }
    memory.close();
    memory.close();
    assertThrows(IllegalStateException.class, () -> data.fill((byte) 1));
  }

  @Test
  void moreThanTheMachineHasIsRefused() {
    assertThrows(MemoryException.class, () -> PlanMemory.of(1L << 60).close());
  }
}
