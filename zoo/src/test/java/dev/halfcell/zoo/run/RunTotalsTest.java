package dev.halfcell.zoo.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.train.StepResult;
import dev.halfcell.train.TrainEvent;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class RunTotalsTest {
  private final RunTotals totals = new RunTotals();

  @Test
  void addsUpStepsAndEpochs() {
    totals.on(Steps.clean(1, 2, 9));
    totals.on(Steps.overflow(2, Double.NaN, 1));
    totals.on(new TrainEvent.EpochEnded(1, 2, 20, 1, 4));
    totals.on(Steps.clean(3, 1.5, 4));
    totals.on(new TrainEvent.EpochEnded(2, 1.5, 10, 0, 1));
    assertEquals(3, totals.steps());
    assertEquals(2, totals.epochs());
    assertEquals(1, totals.overflows());
    assertEquals(1, totals.refused());
    assertEquals(1, totals.scaleChanges());
    assertEquals(8, totals.scale());
    assertEquals(1.5, totals.lastEpochLoss());
    assertEquals(6, totals.samplesPerSecond());
    assertEquals(4, totals.medianMilliseconds());
  }

  /** A run of so many steps may stop within an epoch; a loss that is not finite has no mean. */
  @Test
  void anEpochThatIsNotOverCountsWithItsSteps() {
    totals.on(Steps.clean(1, 9, 1000));
    totals.on(new TrainEvent.EpochEnded(1, 9, 10, 0, 2));
    totals.on(new TrainEvent.EpochStarted(2, 3, 4));
    totals.on(Steps.clean(2, 2, 500));
    totals.on(Steps.overflow(3, Double.NaN, 1000));
    totals.on(Steps.overflow(4, 5, 1500));
    assertEquals(1, totals.epochs());
    assertEquals(3.5, totals.lastEpochLoss());
    assertEquals(8, totals.samplesPerSecond());
    assertEquals(2, totals.overflows());
    assertEquals(2, totals.refused());
    assertEquals(2, totals.scaleChanges());
    assertEquals(4, totals.scale());
  }

  @Test
  void aStepWhoseBatchWasTriedAgainHasMovedTheScale() {
    StepResult third = new StepResult(1, false, 4, 4, true, 1, Optional.empty(), 3);
    totals.on(new TrainEvent.StepTaken(3, 1, 8, third, 0.1, 1, 0));
    totals.on(Steps.clean(4, 2, 500));
    assertEquals(1, totals.scaleChanges());
  }

  /** It begins with its own event: steps of one that was left before its end are not of it. */
  @Test
  void anEpochThatBeginsForgetsTheOneBefore() {
    totals.on(Steps.clean(1, 9, 1000));
    totals.on(new TrainEvent.EpochStarted(1, 1, 4));
    totals.on(Steps.clean(1, 2, 500));
    assertEquals(2, totals.lastEpochLoss());
    assertEquals(20, totals.samplesPerSecond());
  }

  @Test
  void theMedianOfAnEvenCountIsTheMeanOfTheMiddleTwo() {
    totals.on(Steps.clean(1, 2, 10));
    totals.on(Steps.clean(2, 2, 1));
    totals.on(Steps.clean(3, 2, 2));
    totals.on(Steps.clean(4, 2, 5));
    assertEquals(3.5, totals.medianMilliseconds());
  }

  @Test
  void longRunsAreCountedInFull() {
    for (int step = 1; step <= 5001; step++) {
      totals.on(Steps.clean(step, 2, step));
    }
    assertEquals(5001, totals.steps());
    assertEquals(2501, totals.medianMilliseconds());
  }

  @Test
  void beforeTheFirstStepThereIsNoMedian() {
    assertTrue(Double.isNaN(totals.medianMilliseconds()));
  }
}
