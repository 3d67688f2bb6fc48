package dev.halfcell.amp.scale;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.train.StepResult;
import dev.halfcell.train.TrainEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ScaleHistoryTest {
  private final List<String> lines = new ArrayList<>();
  private final ScaleHistory history = new ScaleHistory(3, lines::add);

  private void step(long step, double used, double next, boolean overflow) {
    StepResult result = new StepResult(1, overflow, used, next, !overflow, 1);
    history.on(new TrainEvent.StepTaken(step, 1, 8, result, 0.1, 1, 0));
  }

  private void epochEnded(int refused) {
    history.on(new TrainEvent.EpochEnded(1, 1, 8, refused, 1));
  }

  @Test
  void theRingHoldsTheLastStepsAndTheCountsHoldAll() {
    step(1, 8, 4, true);
    step(2, 4, 4, false);
    step(3, 4, 4, false);
    step(4, 4, 8, false);
    assertEquals(
        List.of(
            new ScaleHistory.Entry(2, 4, 4, false, true),
            new ScaleHistory.Entry(3, 4, 4, false, true),
            new ScaleHistory.Entry(4, 4, 8, false, true)),
        history.entries());
    assertEquals(4, history.steps());
    assertEquals(1, history.refused());
    assertEquals(2, history.changes());
  }

  @Test
  void aChangeIsALineAndNothingElseIs() {
    history.on(new TrainEvent.EpochStarted(1, 1, 100));
    step(1, 65536, 32768, true);
    for (int i = 2; i < 200; i++) {
      step(i, 32768, 32768, false);
    }
    step(200, 32768, 65536, false);
    assertEquals(
        List.of(
            "step 1: loss scale 65536 -> 32768, overflow", "step 200: loss scale 32768 -> 65536"),
        lines);
  }

  @Test
  void aBatchThatWasTriedAgainIsALineToo() {
    step(1, 64, 64, false);
    StepResult third = new StepResult(1, false, 16, 16, true, 1, Optional.empty(), 3);
    history.on(new TrainEvent.StepTaken(4, 1, 8, third, 0.1, 1, 0));
    assertEquals(1, history.changes());
    assertEquals(List.of("step 4: loss scale 64 -> 16"), lines);
  }

  /** A rule that moves the scale at every step, or falls again and again, does not flood. */
  @Test
  void changesSoonAfterALineAreCountedAndToldWithTheNext() {
    for (int i = 1; i <= 1 + ScaleHistory.QUIET_STEPS; i++) {
      step(i, i, i + 0.5, false);
    }
    step(2 + ScaleHistory.QUIET_STEPS, 8, 4, true);
    step(3 + ScaleHistory.QUIET_STEPS, 4, 2, true);
    epochEnded(2);
    assertEquals(
        List.of(
            "step 1: loss scale 1 -> 1.500",
            "step 52: loss scale 8 -> 4, overflow (50 more changes since the last line)",
            "epoch 1: loss scale 2, 2 steps refused (1 more change since the last line)"),
        lines);
  }

  @Test
  void anEpochWithoutRefusedStepsIsSilent() {
    step(1, 8, 8, false);
    epochEnded(0);
    assertEquals(List.of(), lines);
    epochEnded(1);
    assertEquals(List.of("epoch 1: loss scale 8, 1 step refused"), lines);
  }

  @Test
  void aHistoryOfNothingIsRefused() {
    assertThrows(ArgumentException.class, () -> new ScaleHistory(0));
  }
}
