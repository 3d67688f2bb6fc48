package dev.halfcell.reliability;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.Amp;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.Sequential;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.op.elementwise.Add;
import dev.halfcell.op.linear.MatMul;
import dev.halfcell.optim.Sgd;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.HalfCellException;
import dev.halfcell.tensor.MemoryException;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tensors: shapes, lengths, nulls, and use after their end. */
final class TensorRowsTest {
  @Test
  @Row("J9")
  void shapesWithoutElementsOrWithTooManyAreRefused() {
    Refusal.of(() -> Shape.of(0, 3), "sizes of at least 1", "[0, 3]");
    Refusal.of(() -> Shape.of(-1, 3), "[-1, 3]");
    Refusal.of(() -> Shape.of(Integer.MIN_VALUE), "-2147483648");
    Refusal.of(() -> Shape.of(65536, 65536, 65536), "2147483647 elements", "65536");
    Refusal.of(() -> Shape.of(65536, 65536, 65536, 65536), "65536");
    Refusal.of(() -> Shape.of(65536).behind(65536), "65536");
    assertEquals(Integer.MAX_VALUE, Shape.of(Integer.MAX_VALUE).size());
  }

  @Test
  @Row("J11")
  void anArrayOfAnotherLengthIsRefusedWithBothLengths() {
    try (TensorScope scope = TensorScope.open()) {
      TensorSpec six = TensorSpec.of(DType.FP32, 2, 3);
      Refusal.of(() -> Tensor.of(scope, six, new double[5]), "6 elements", "got 5");
      Refusal.of(() -> Tensor.of(scope, six, new double[7]), "6 elements", "got 7");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"reference", "cpu"})
  @Row("J12")
  void nullsAreRefusedByName(String device) {
    try (Bench bench = Bench.on(device)) {
      Tensor x = bench.floats(2);
      Refusal.of(() -> bench.run(new Add(), x, nothing()), "input 1", "null", "/net/cell");
      Refusal.of(() -> Tensor.of(bench.scope(), nothing()), "spec", "null");
    }
    Refusal.of(() -> new Sequential(new Dense(2, 2), nothing()), "child '1'", "null");
    Refusal.of(
        () -> Amp.buildTrainNetwork(new Dense(2, 2), TensorRowsTest.<Sgd>nothing(), "O2"),
        "the optimizer",
        "null");
    Refusal.of(
        () ->
            Amp.buildTrainNetwork(
                new Dense(2, 2), new SoftmaxCrossEntropyLoss(), new Sgd(0.1), nothing()),
        "O0, O1, O2, O3 or auto",
        "null");
  }

  @Test
  @Row("J12")
  void aNullBatchIsRefusedByName() {
    try (var train =
        Amp.buildTrainNetwork(new Dense(2, 2), new SoftmaxCrossEntropyLoss(), new Sgd(0.1), "O0")) {
      Refusal.of(() -> train.run(TensorRowsTest.<Tensor>nothing()), "input 0", "null");
      Refusal.of(() -> train.run(), "no input");
    }
  }

  /** What a caller without null checks passes. */
  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals", "unchecked"})
  private static <T> T nothing() {
    return (T) (Object) null;
  }

  @ParameterizedTest
  @ValueSource(strings = {"reference", "cpu"})
  @Row("J15")
  void aClosedTensorIsReadByNobody(String device) {
    try (Bench bench = Bench.on(device)) {
      TensorScope brief = TensorScope.open();
      Tensor closed = Tensor.of(brief, TensorSpec.of(DType.FP32, 2), 1, 2);
      Tensor open = bench.floats(2);
      brief.close();
      Refusal.of(() -> closed.at(0), "tensor fp32[2], closed");
      Refusal.of(closed::toArray, "closed");
      Refusal.of(() -> bench.scope().copy(closed), "closed");
      Refusal.of(() -> bench.run(new Add(), open, closed), "closed");
      Refusal.of(() -> bench.run(new Add(), closed, open), "closed");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"reference", "cpu"})
  @Row("J15")
  void aClosedStateIsSteppedOnByNobody(String device) {
    assertTrue(TrainingRowsTest.trainOnClosedState(device).problem().message().contains("closed"));
  }

  @Test
  @Row("J16")
  void closingTwiceDoesNothing() {
    TensorScope scope = TensorScope.open();
    scope.close();
    scope.close();
    Refusal.of(() -> scope.allocate(TensorSpec.of(DType.FP32)), "closed");
  }

  /** Products large enough for the close to come while native code reads the tensors. */
  @ParameterizedTest
  @ValueSource(strings = {"reference", "cpu"})
  @Row("J16")
  void closingWhileAnOpRunsLetsItFinishOrThrow(String device) throws InterruptedException {
    int size = device.equals("cpu") ? 512 : 48;
    try (Bench bench = Bench.on(device)) {
      for (int round = 0; round < 50; round++) {
        TensorScope brief = TensorScope.open();
        Tensor a = brief.allocate(TensorSpec.of(DType.FP32, size, size));
        AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
        Thread worker =
            Thread.ofPlatform()
                .start(
                    () -> {
                      try {
                        bench.run(new MatMul(false, false, false), a, a);
                      } catch (HalfCellException e) {
                        thrown.set(e);
                      }
                    });
        Thread.sleep(round % 5);
        brief.close();
        worker.join();
        Throwable error = thrown.get();
        assertTrue(error == null || error instanceof UsageException, String.valueOf(error));
      }
    }
  }

  @Test
  @Row("J18")
  void tensorsThatAreNeverClosedLeaveTheProcessAlive() {
    List<TensorScope> lost = IntStream.range(0, 1000).mapToObj(_ -> TensorScope.open()).toList();
    for (int i = 0; i < 100_000; i++) {
      lost.get(i % lost.size()).allocate(TensorSpec.of(DType.FP32, 16));
    }
    try (Bench bench = Bench.on("cpu")) {
      assertEquals(1.0, bench.run(new Add(), bench.floats(1), bench.floats(1)).item());
    }
    lost.forEach(TensorScope::close);
  }

  @Test
  @Row("J58")
  void moreMemoryThanThereIsIsRefusedWithFigures() {
    try (TensorScope scope = TensorScope.open()) {
      scope.allocate(TensorSpec.of(DType.FP32, 4));
      MemoryException e = assertThrows(MemoryException.class, () -> scope.allocate(1L << 50));
      assertTrue(
          e.problem().message().contains("1125899906842624 bytes of memory"), e.getMessage());
      assertTrue(e.problem().got().contains("this scope holds 16 bytes"), e.getMessage());
      assertEquals(1, Tensor.scalar(scope, DType.FP32, 1).item(), "and the scope works on");
    }
  }

  /**
   * A worker process is held to its memory by the system: tensors, not the heap, meet the limit.
   */
  @Test
  @Row("J58")
  void aProcessAtItsLimitSaysSoAndLivesOn() throws IOException, InterruptedException {
    ChildProcess process =
        ChildProcess.run(
            "ulimit -v 2500000;",
            UntilRefused.class,
            "-Xmx64m",
            "-XX:ReservedCodeCacheSize=64m",
            "-XX:CompressedClassSpaceSize=64m");
    String output = process.output();
    assertEquals(0, process.exitCode(), output);
    assertTrue(output.contains("bytes of memory outside the heap"), output);
    assertTrue(output.endsWith("alive\n"), output);
  }

  @ParameterizedTest
  @ValueSource(strings = {"reference", "cpu"})
  @Row("J9")
  void anOpThatWouldYieldTooManyElementsIsRefused(String device) {
    try (Bench bench = Bench.on(device)) {
      Tensor tall = bench.floats(65536, 1);
      Tensor wide = bench.floats(1, 65536);
      Refusal.of(() -> bench.run(new Add(), tall, wide), "2147483647 elements");
    }
  }
}
