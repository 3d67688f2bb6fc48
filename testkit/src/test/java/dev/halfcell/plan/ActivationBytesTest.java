package dev.halfcell.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Graph;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.backend.SavedActivations;
import dev.halfcell.tensor.DType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ActivationBytesTest {
  private static final int PIXELS = 32 * 32;
  private static final int RELU_1 = 6 * 28 * 28;
  private static final int POOL_1 = 6 * 14 * 14;
  private static final int RELU_2 = 16 * 10 * 10;
  private static final int POOL_2 = 16 * 5 * 5;
  private static final int DENSE = 120 + 84 + 10;

  /** What minimal gradients of LeNet-5 read, the bound batch included. */
  private static final int ANALYTIC = PIXELS + RELU_1 + POOL_1 + RELU_2 + POOL_2 + DENSE;

  private final Backend backend = new ReferenceBackend();

  @AfterEach
  void close() {
    backend.close();
  }

  private Program program(Example example, Level level, int rows) {
    try (TrainStepCell train = example.train(level, DType.FP16, backend)) {
      return Program.of(example.graph(train, rows));
    }
  }

  private static long dense(Program program) {
    return ActivationBytes.of(program, slot -> program.spec(slot).bytes());
  }

  private static Program fused(Program program) {
    return Fusion.shareStorage(Fusion.fuse(program));
  }

  @Test
  void plainLeNetKeepsTheAnalyticCountWithoutTheBatchAndThePositions() {
    assertEquals(9118, ANALYTIC);
    assertEquals(
        (ANALYTIC - PIXELS) * 4 + POOL_1 + POOL_2,
        dense(Fusion.shareStorage(Program.of(graph(Level.O0)))));
  }

  private Graph graph(Level level) {
    try (TrainStepCell train = Example.LENET.train(level, DType.FP16, backend)) {
      return Example.LENET.graph(train, 1);
    }
  }

  @Test
  void fusedLeNetKeepsOnlyWhatWasPooled() {
    int positions = POOL_1 + POOL_2;
    assertEquals(
        (POOL_1 + POOL_2 + DENSE) * 4 + positions,
        dense(fused(program(Example.LENET, Level.O0, 1))));
    assertEquals(
        (PIXELS + POOL_1 + POOL_2 + 120 + 84) * 2 + 10 * 4 + positions,
        dense(fused(program(Example.LENET, Level.O2, 1))));
  }

  @ParameterizedTest
  @EnumSource(Level.class)
  void agreesWithTheCountOfTheRecordedGraph(Level level) {
    long loss = 4; // counted there, for the check of the gradients reads it
    assertEquals(
        SavedActivations.bytes(graph(level)) - loss,
        dense(Fusion.shareStorage(Program.of(graph(level)))));
  }

  @Test
  void anActivationWidenedForItsOwnGradientIsKeptInHalf() {
    Program plain = Fusion.shareStorage(Fusion.simplify(program(Example.NORMALIZED, Level.O1, 1)));
    Program fused = fused(program(Example.NORMALIZED, Level.O1, 1));
    int image = 4 * 8 * 8;
    assertEquals(image * 4 - image * 2, dense(plain) - dense(fused));
  }
}
