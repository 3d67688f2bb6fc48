package dev.halfcell.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class RaceTest {
  private static final List<Contender> CONTENDERS =
      List.of(
          Samples.halfcell("own", false),
          Samples.peer("peer", false, "a"),
          Samples.peer("peer", false, "b"),
          Samples.peer("peer", false, "c"));
  private static final Map<String, Double> TIMES =
      Map.of("own", 1.0, "peer (a)", 4.0, "peer (b)", 3.0, "peer (c)", 2.0);

  @Test
  void triesAllOnceAndThenTimesTheFasterSettingsInTurn() {
    List<String> order = new ArrayList<>();
    Race race =
        new Race(
            contender -> {
              order.add(contender.toString());
              return Samples.steps(TIMES.getOrDefault(contender.toString(), Double.NaN));
            },
            _ -> {});
    List<Timing> timings = race.run(CONTENDERS, 2);
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
}
