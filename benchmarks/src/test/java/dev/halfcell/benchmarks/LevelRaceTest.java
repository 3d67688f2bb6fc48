package dev.halfcell.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

final class LevelRaceTest {
  private static final Effort EFFORT = new Effort(3, 1);
  private static final Workload WORKLOAD = new Workload("lenet5", 128);
  private static final Contender O0 = Samples.halfcell("HalfCell O0", Precision.FP32);
  private static final Contender O1 = Samples.halfcell("HalfCell O1 FP16", Precision.FP16);
  private static final Contender O2 = Samples.halfcell("HalfCell O2 BF16", Precision.BF16);

  private final List<String> progress = new ArrayList<>();
  private final Map<String, Integer> measured = new HashMap<>();

  /** Each takes as many milliseconds as its round, and has the losses of its precision. */
  private List<LevelRow> run(String failing, int failingRound, Map<String, Double> firstLoss) {
    LevelRace race =
        new LevelRace(
            (contender, _) -> {
              int round = measured.merge(contender.name(), 1, Integer::sum);
              if (contender.name().equals(failing) && round == failingRound) {
                throw new ProgramException(
                    failing, 1, "Exception in thread \"main\" UsageException: no memory\n\tat x");
              }
              double loss = firstLoss.getOrDefault(contender.name(), 2.0);
              Bytes bytes = Samples.steps(1).bytes();
              double ms = round;
              return new Measurement(List.of(loss, 1.0), List.of(ms, ms), bytes, Map.of());
            },
            LossAgreement.USUAL,
            progress::add);
    return race.run(List.of(O0, O1, O2), 3, EFFORT).stream()
        .map(attempt -> LevelRow.of(WORKLOAD, attempt))
        .toList();
  }

  @Test
  void aTimeIsTheMedianOfTheRoundsThatAllTakeInTurn() {
    List<LevelRow> rows = run("none", 0, Map.of("HalfCell O2 BF16", 2.02));
    for (LevelRow row : rows) {
      assertEquals(Optional.empty(), row.error());
      assertEquals(List.of(1.0, 2.0, 3.0), row.roundMs());
      assertEquals(OptionalDouble.of(2), row.medianMs());
      assertEquals(OptionalDouble.of(1), row.bestMs());
      assertEquals(3, row.timedSteps());
    }
    assertEquals(Optional.empty(), rows.get(0).half());
    assertEquals(Optional.of("fp16"), rows.get(1).half());
    assertEquals(0.01, rows.get(2).lossDifference().orElseThrow(), 1e-9);
    assertEquals("round 1 of 3: HalfCell O0: 1.000 ms", progress.getFirst());
    assertEquals("round 1 of 3: HalfCell O1 FP16: 1.000 ms", progress.get(1));
  }

  @Test
  void oneThatFailsSaysWhyInALineAndEndsNoOther() {
    List<LevelRow> rows = run("HalfCell O1 FP16", 2, Map.of());
    LevelRow failed = rows.get(1);
    assertEquals(Optional.of("UsageException: no memory"), failed.error());
    assertEquals(OptionalDouble.empty(), failed.medianMs());
    assertEquals(List.of(1.0), failed.roundMs());
    assertEquals(OptionalDouble.of(2), rows.get(0).medianMs());
    assertEquals(OptionalDouble.of(2), rows.get(2).medianMs());
    assertEquals(Map.of("HalfCell O0", 3, "HalfCell O1 FP16", 2, "HalfCell O2 BF16", 3), measured);
  }

  @Test
  void oneWhoseLossesAreOthersHasNoTime() {
    LevelRow row = run("none", 0, Map.of("HalfCell O2 BF16", 3.0)).get(2);
    assertEquals(OptionalDouble.empty(), row.medianMs());
    assertTrue(row.error().orElseThrow().contains("in step 1 its loss is 3.0"), row::toString);
    assertEquals(List.of(), row.roundMs());
  }

  @Test
  void withoutTheLossesOfO0NoneIsTimed() {
    List<LevelRow> rows = run("HalfCell O0", 1, Map.of());
    assertEquals(Map.of("HalfCell O0", 1), measured);
    assertEquals(Optional.of("UsageException: no memory"), rows.getFirst().error());
    assertEquals(
        Optional.of("not timed: HalfCell O0 failed, whose losses it has to have"),
        rows.getLast().error());
  }

  @Test
  void lossesOfO0ThatAreNoNumbersCountForNothing() {
    List<LevelRow> rows = run("none", 0, Map.of("HalfCell O0", Double.NaN));
    assertTrue(rows.stream().allMatch(row -> row.error().isPresent()), rows::toString);
  }
}
