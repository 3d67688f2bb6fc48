package dev.halfcell.train.listener;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.Variable;
import dev.halfcell.nn.Dense;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.train.Checkpoint;
import dev.halfcell.train.TrainEvent;
import dev.halfcell.train.TrainListener;
import dev.halfcell.train.TrainState;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Early stopping and the best epoch, on metrics that were never measured. */
final class EarlyStoppingTest {
  private static final Monitor ACCURACY = new Monitor("accuracy", Monitor.Mode.MAX);

  private final TrainState state = TrainState.of(new Dense(2, 2), 1);

  @AfterEach
  void close() {
    state.close();
  }

  private static TrainEvent measured(int epoch, double accuracy) {
    return new TrainEvent.EpochMeasured(epoch, Map.of("accuracy", accuracy));
  }

  private static TrainEvent ended(int epoch, double loss) {
    return new TrainEvent.EpochEnded(epoch, loss, 10, 0, 1);
  }

  /** After how many of these accuracies the training ends; 0 where it does not. */
  private int stops(Monitor monitor, int patience, double... accuracies) {
    EarlyStopping early = new EarlyStopping(state, monitor, patience);
    for (int i = 0; i < accuracies.length; i++) {
      early.on(ended(i + 1, 1));
      early.on(measured(i + 1, accuracies[i]));
      if (early.reached()) {
        return i + 1;
      }
    }
    return 0;
  }

  @Test
  void endsWhenPatienceIsUsedUp() {
    assertEquals(6, stops(ACCURACY, 2, 0.1, 0.3, 0.2, 0.4, 0.4, 0.3, 0.5));
  }

  @Test
  void goesOnWhileItGetsBetter() {
    assertEquals(0, stops(ACCURACY, 1, 0.1, 0.2, 0.3));
  }

  @Test
  void anotherMetricIsLeftOut() {
    assertEquals(0, stops(new Monitor("recall", Monitor.Mode.MAX), 1, 0.3, 0.2, 0.1));
  }

  @Test
  void aDifferenceThatIsTooSmallIsNone() {
    assertEquals(2, stops(new Monitor("accuracy", Monitor.Mode.MAX, 0.25), 1, 0.25, 0.5));
  }

  @Test
  void nanIsNoBetterThanAny() {
    assertEquals(1, stops(ACCURACY, 1, Double.NaN));
  }

  @Test
  void theLowerLossIsTheBetterOne() {
    Monitor loss = new Monitor(Monitor.TRAIN_LOSS, Monitor.Mode.MIN);
    EarlyStopping early = new EarlyStopping(state, loss, 1);
    early.on(ended(1, 2));
    early.on(ended(2, 1));
    assertFalse(early.reached());
    early.on(ended(3, 1));
    assertTrue(early.reached());
  }

  @Test
  void whatWasSeenIsInACheckpoint(@TempDir Path folder) {
    EarlyStopping early = new EarlyStopping(state, ACCURACY, 2);
    BestEpoch best = new BestEpoch(state, ACCURACY, () -> {});
    List.of(measured(1, 0.1 + 0.2), measured(2, 0.2))
        .forEach(
            event -> {
              early.on(event);
              best.on(event);
            });
    Checkpoint.write(state, folder.resolve("c"));
    try (TrainState other = TrainState.of(new Dense(2, 2), 1)) {
      EarlyStopping same = new EarlyStopping(other, ACCURACY, 2);
      BestEpoch sameBest = new BestEpoch(other, ACCURACY, () -> {});
      Checkpoint.read(other, folder.resolve("c"));
      assertFalse(same.reached());
      assertEquals(OptionalInt.of(1), sameBest.epoch());
      assertEquals(0.1 + 0.2, sameBest.value());
      same.on(measured(3, 0.1 + 0.2));
      assertTrue(same.reached(), "an equal number is no better, to the last bit");
    }
  }

  @Test
  void theBestEpochIsKeptWheneverItIsBetter() {
    List<Integer> kept = new ArrayList<>();
    List<BestEpoch> self = new ArrayList<>();
    BestEpoch best =
        new BestEpoch(state, ACCURACY, () -> kept.add(self.getFirst().epoch().orElseThrow()));
    self.add(best);
    assertEquals(OptionalInt.empty(), best.epoch());
    double[] accuracies = {0.1, 0.3, 0.3, Double.NaN, 0.2, 0.4};
    for (int i = 0; i < accuracies.length; i++) {
      best.on(ended(i + 1, 1));
      best.on(measured(i + 1, accuracies[i]));
    }
    assertEquals(List.of(1, 2, 6), kept);
    assertEquals(0.4, best.value());
  }

  @Test
  void eachOfSeveralRemembersUnderItsName(@TempDir Path folder) {
    Monitor loss = new Monitor(Monitor.TRAIN_LOSS, Monitor.Mode.MIN);
    List<String> kept = new ArrayList<>();
    EarlyStopping early = new EarlyStopping(state, ACCURACY, 2);
    EarlyStopping late = new EarlyStopping(state, "late", ACCURACY, 3);
    BestEpoch accuracy = new BestEpoch(state, ACCURACY, () -> kept.add("accuracy"));
    BestEpoch lowest = new BestEpoch(state, "loss", loss, () -> kept.add("loss"));
    double[] accuracies = {0.5, 0.4, 0.3, 0.2};
    for (int i = 0; i < accuracies.length; i++) {
      for (TrainListener each : List.of(early, late, accuracy, lowest)) {
        each.on(ended(i + 1, 4 - i));
        each.on(measured(i + 1, accuracies[i]));
      }
      assertEquals(i >= 2, early.reached());
      assertEquals(i >= 3, late.reached());
    }
    assertEquals(List.of("accuracy", "loss", "loss", "loss", "loss"), kept);
    assertEquals(OptionalInt.of(1), accuracy.epoch());
    assertEquals(OptionalInt.of(4), lowest.epoch());
    Checkpoint.write(state, folder.resolve("c"));
    try (TrainState other = TrainState.of(new Dense(2, 2), 1)) {
      EarlyStopping same = new EarlyStopping(other, ACCURACY, 2);
      EarlyStopping sameLate = new EarlyStopping(other, "late", ACCURACY, 4);
      BestEpoch sameAccuracy = new BestEpoch(other, ACCURACY, () -> {});
      BestEpoch sameLowest = new BestEpoch(other, "loss", loss, () -> {});
      Checkpoint.read(other, folder.resolve("c"));
      assertTrue(same.reached());
      assertFalse(sameLate.reached());
      assertEquals(0.5, sameAccuracy.value());
      assertEquals(1, sameLowest.value());
    }
  }

  /** Names of values that checkpoints of earlier versions hold. */
  @Test
  void oneWithoutANameKeepsTheNamesOfItsValues() {
    assertEquals(
        Set.of("(step)/early_stopping/best", "(step)/early_stopping/waited"),
        moved(new EarlyStopping(state, ACCURACY, 2)));
    assertEquals(
        Set.of("(step)/best/value", "(step)/best/epoch"),
        moved(new BestEpoch(state, ACCURACY, () -> {})));
    assertEquals(
        Set.of("(step)/best/loss/value", "(step)/best/loss/epoch"),
        moved(new BestEpoch(state, "loss", ACCURACY, () -> {})));
  }

  private static Set<String> moved(TrainListener by) {
    return by.moves().keySet().stream().map(Variable::toString).collect(Collectors.toSet());
  }

  @Test
  void whatMakesNoSenseIsRefused() {
    assertThrows(ArgumentException.class, () -> new EarlyStopping(state, "a/b", ACCURACY, 1));
    assertThrows(ArgumentException.class, () -> new EarlyStopping(state, ACCURACY, 0));
    assertThrows(ArgumentException.class, () -> new Monitor(" ", Monitor.Mode.MAX));
    for (double delta : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThrows(ArgumentException.class, () -> new Monitor("a", Monitor.Mode.MAX, delta));
    }
  }
}
