package dev.halfcell.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.data.Batch;
import dev.halfcell.nn.BatchNorm1d;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.MSELoss;
import dev.halfcell.nn.Named;
import dev.halfcell.nn.Sequential;
import dev.halfcell.nn.WithLossCell;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.optim.Sgd;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Several loops on a state that holds two networks, one of which has running statistics. */
final class LoopWindowTest {
  private static final Sgd SGD = new Sgd(0.125);
  private static final LossScale MOVING = LossScale.dynamic().from(256);
  private static final Cell SMALL = new WithLossCell(new Dense(2, 2), new MSELoss());
  private static final Cell NORMAL =
      new WithLossCell(new Sequential(new Dense(2, 2), new BatchNorm1d(2)), new MSELoss());
  private static final Cell PLAIN = new Named("small", SMALL);
  private static final Cell STATISTICS = new Named("normal", NORMAL);

  private final TensorScope scope = TensorScope.open();
  private final TrainState state = TrainState.of(Map.of("small", SMALL, "normal", NORMAL), 1);

  @AfterEach
  void close() {
    state.close();
    scope.close();
  }

  private TrainLoop loop(Cell net, StepRules rules, LossScale scale, int microBatches) {
    TrainStep step =
        new TrainStep(
            net,
            PrecisionRules.none(),
            scale,
            Recipe.standard(net, SGD),
            Accumulation.of(microBatches),
            rules);
    return new TrainLoop(
        step, state, new ReferenceBackend(), new Execution.Planned(PlanOptions.PLAIN));
  }

  private TrainLoop loop(Cell net, String name, int microBatches) {
    return loop(net, StepRules.defaults().name(name), MOVING, microBatches);
  }

  private TrainLoop sharing(String name, LossScale scale, int microBatches) {
    return loop(PLAIN, StepRules.defaults().name(name).scaleName("both"), scale, microBatches);
  }

  private Batch batch() {
    TensorSpec square = TensorSpec.of(DType.FP32, 2, 2);
    return new Batch(
        List.of(Tensor.of(scope, square, 1, 2, 3, 5), Tensor.of(scope, square, 1, 0, 0, 1)),
        Tensor.of(scope, TensorSpec.of(DType.INT64, 2), 5, 6));
  }

  private Problem refused(TrainLoop loop) {
    return assertThrows(UsageException.class, () -> loop.step(batch())).problem();
  }

  /** The mean of a window divides by one scale. */
  @Test
  void nobodyMovesTheScaleOfAWindowThatIsOpen() {
    for (int microBatches : new int[] {1, 3}) {
      try (TrainLoop window = sharing("a", MOVING, 2);
          TrainLoop other = sharing("b", MOVING, microBatches)) {
        assertFalse(window.step(batch()).applied());
        Problem problem = refused(other);
        assertEquals("accumulation", problem.subject());
        assertEquals("(step)/b", problem.where());
        assertTrue(problem.expected().contains("(step)/both/loss_scale"), problem.expected());
        assertEquals("the window of (step)/a with 1 of 2 micro-batches", problem.got());
        assertTrue(window.step(batch()).applied());
        assertEquals(microBatches == 1, other.step(batch()).applied());
        assertEquals(microBatches == 1, other.endWindow().isEmpty());
      }
    }
  }

  /** The window puts its own over them when its step is taken. */
  @Test
  void nobodyMovesTheStatisticsOfAWindowThatIsOpen() {
    for (int microBatches : new int[] {1, 2}) {
      try (TrainLoop window = loop(STATISTICS, "a", 2);
          TrainLoop other = loop(STATISTICS, "b", microBatches)) {
        window.step(batch());
        String expected = refused(other).expected();
        assertTrue(expected.contains("running statistics, such as /normal/"), expected);
        assertTrue(window.endWindow().orElseThrow().applied());
        assertEquals(microBatches == 1, other.step(batch()).applied());
        assertEquals(microBatches == 1, other.endWindow().isEmpty());
      }
    }
  }

  @Test
  void aStepAtAScaleOfItsOwnMovesStatisticsAlone() {
    try (TrainLoop window = loop(STATISTICS, "a", 2);
        TrainLoop same = loop(STATISTICS, "b", 1)) {
      window.step(batch());
      assertThrows(UsageException.class, () -> same.step(batch(), 8));
    }
    try (TrainLoop window = sharing("c", MOVING, 2);
        TrainLoop other = sharing("d", MOVING, 1)) {
      window.step(batch());
      assertTrue(other.step(batch(), 8).applied());
      refused(other);
    }
  }

  @Test
  void windowsThatShareNothingAreFilledInTurns() {
    try (TrainLoop one = loop(PLAIN, "a", 2);
        TrainLoop two = loop(PLAIN, "b", 2);
        TrainLoop three = loop(STATISTICS, "c", 2)) {
      for (TrainLoop loop : List.of(one, two, three)) {
        assertFalse(loop.step(batch()).applied());
      }
      for (TrainLoop loop : List.of(one, two, three)) {
        assertTrue(loop.step(batch()).applied());
      }
    }
  }

  @Test
  void aScaleThatNeverMovesIsSharedFreely() {
    LossScale eight = LossScale.fixed(8);
    try (TrainLoop one = sharing("a", eight, 2);
        TrainLoop two = sharing("b", eight, 2)) {
      one.step(batch());
      two.step(batch());
      assertTrue(one.step(batch()).applied());
      assertTrue(two.step(batch()).applied());
    }
    try (TrainLoop moving = sharing("a", MOVING, 2);
        TrainLoop single = sharing("b", LossScale.fixed(4), 1);
        TrainLoop window = sharing("c", LossScale.fixed(4), 2)) {
      moving.step(batch());
      assertEquals(4, single.step(batch()).usedScale());
      refused(window);
      assertEquals(8, moving.step(batch()).usedScale(), "where the fixed ones have left it");
    }
  }

  @Test
  void theWindowOfALoopThatIsClosedKeepsNobodyAway() {
    try (TrainLoop left = sharing("a", MOVING, 2);
        TrainLoop other = sharing("b", MOVING, 1)) {
      left.step(batch());
      refused(other);
      left.close();
      assertTrue(other.step(batch()).applied());
    }
  }

  @Test
  void aLoopLikeItGoesOnWithAWindowAndAnotherOneOfItsNameDoesNot() {
    try (TrainLoop first = loop(PLAIN, "", 2);
        TrainLoop second = loop(PLAIN, "", 2);
        TrainLoop other = loop(STATISTICS, "", 2)) {
      first.step(batch());
      String expected = refused(other).expected();
      assertTrue(expected.contains("its count, (step)/taken"), expected);
      assertTrue(second.step(batch()).applied());
      assertEquals(0, first.microBatches());
      assertFalse(other.step(batch()).applied());
      assertTrue(other.step(batch()).applied());
    }
  }
}
