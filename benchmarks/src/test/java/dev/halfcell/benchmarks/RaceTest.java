package dev.halfcell.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

final class RaceTest {
  private static final Protocol TWO_ROUNDS = new Protocol(2, new Effort(9, 1), new Effort(99, 5));
  private static final Contender OWN = Samples.halfcell("own", Precision.FP32);
  private static final Map<String, Double> TIMES =
      Map.of(
          "own",
          1.0,
          "peer (a)",
          4.0,
          "peer (b)",
          2.2,
          "peer (c)",
          2.0,
          "slow",
          1e5,
          "slow own",
          1e5);

  private static final LossAgreement AGREEMENT = LossAgreement.USUAL;

  private final List<String> order = new ArrayList<>();
  private final List<Effort> efforts = new ArrayList<>();

  @Test
  void triesAllOnceAndThenTimesTheFasterSettingsInTurn() {
    List<Timing> timings = run(OWN, setting("a"), setting("b"), setting("c")).timings();
    assertEquals(
        List.of(
            "own",
            "peer (a)",
            "peer (b)",
            "peer (c)",
            "own",
            "peer (c)",
            "peer (b)",
            "own",
            "peer (c)",
            "peer (b)"),
        order);
    assertEquals(List.of(2.0, 2.0), timings.get(1).roundMs());
  }

  @Test
  void aSettingThatIsClearlySlowerGetsIntoNoRound() {
    run(OWN, setting("c"), setting("a"));
    assertEquals(
        List.of("own", "peer (c)", "peer (a)", "own", "peer (c)", "own", "peer (c)"), order);
  }

  @Test
  void trialsTakeTheirOwnEffort() {
    run(OWN);
    assertEquals(List.of(TWO_ROUNDS.trial(), TWO_ROUNDS.round(), TWO_ROUNDS.round()), efforts);
  }

  @Test
  void aSlowPeersTrialHasToDo() {
    List<Timing> timings = run(OWN, Samples.peer("slow", Precision.FP16, "")).timings();
    assertEquals(List.of("own", "slow", "own", "own"), order);
    assertEquals(1e5, timings.get(1).medianMs());
    assertEquals(List.of(1e5), timings.get(1).roundMs());
  }

  @Test
  void halfCellIsTimedHoweverSlowItIs() {
    run(Samples.halfcell("slow own", Precision.FP32));
    assertEquals(List.of("slow own", "slow own", "slow own"), order);
  }

  @Test
  void aPeerThatFailsWithAllSettingsIsNamedWithTheReason() {
    Standings standings =
        race(contender -> fails(contender.toString(), "peer"))
            .run(List.of(OWN, setting("a"), setting("b")), TWO_ROUNDS);
    assertEquals(Map.of("peer", "RuntimeException: no such op"), standings.unable());
    assertEquals(List.of(OWN), standings.timings().stream().map(Timing::contender).toList());
  }

  @Test
  void aPeerThatRunsWithOneSettingIsAble() {
    Standings standings =
        race(contender -> fails(contender.toString(), "peer (a)"))
            .run(List.of(OWN, setting("a"), setting("b")), TWO_ROUNDS);
    assertEquals(Map.of(), standings.unable());
    assertEquals(2, standings.timings().size());
  }

  @Test
  void aPeerThatComputesSomethingElseIsNamedWithItsLoss() {
    Standings standings =
        other(setting("a")).run(List.of(OWN, setting("a"), setting("b")), TWO_ROUNDS);
    assertEquals(Map.of(), standings.unable());
    assertEquals(
        List.of("own", "peer (b)"),
        standings.timings().stream().map(timing -> timing.contender().toString()).toList());
    String reason =
        other(setting("a")).run(List.of(OWN, setting("a")), TWO_ROUNDS).unable().get("peer");
    assertTrue(
        String.valueOf(reason).startsWith("peer (a) does not compute what HalfCell does"), reason);
  }

  @Test
  void halfCellMustNotComputeSomethingElseAtAnotherLevel() {
    Contender half = Samples.halfcell("own half", Precision.BF16);
    assertThrows(MeasurementException.class, () -> other(half).run(List.of(OWN, half), TWO_ROUNDS));
  }

  /** One contender of all has another loss. */
  private static Race other(Contender wrong) {
    return new Race(
        (contender, _) ->
            contender.equals(wrong)
                ? new Measurement(List.of(9.0), List.of(1.0), Samples.steps(1).bytes(), Map.of())
                : Samples.steps(1),
        () -> new Peak(1, 1, 1),
        AGREEMENT,
        _ -> {});
  }

  @Test
  void halfCellMustNotFail() {
    Race race = race(contender -> fails(contender.toString(), "own"));
    assertThrows(ProgramException.class, () -> race.run(List.of(OWN), TWO_ROUNDS));
  }

  @Test
  void thePeakIsTheBestOfThoseBetweenTheRounds() {
    List<Peak> peaks =
        new ArrayList<>(List.of(new Peak(1, 9, 1), new Peak(7, 2, 1), new Peak(3, 3, 8)));
    Race race = new Race((_, _) -> Samples.steps(1), peaks::removeFirst, AGREEMENT, _ -> {});
    assertEquals(new Peak(7, 9, 8), race.run(List.of(OWN), TWO_ROUNDS).peak());
  }

  private static Contender setting(String setting) {
    return Samples.peer("peer", Precision.FP32, setting);
  }

  private static boolean fails(String contender, String failing) {
    return contender.startsWith(failing);
  }

  private Standings run(Contender... contenders) {
    return race(_ -> false).run(List.of(contenders), TWO_ROUNDS);
  }

  private Race race(Function<Contender, Boolean> failing) {
    return new Race(
        (contender, effort) -> {
          order.add(contender.toString());
          efforts.add(effort);
          if (failing.apply(contender)) {
            throw new ProgramException("x", 1, "WARNING: old\nRuntimeException: no such op\n at y");
          }
          return Samples.steps(TIMES.getOrDefault(contender.toString(), Double.NaN));
        },
        () -> new Peak(1, 1, 1),
        AGREEMENT,
        _ -> {});
  }
}
