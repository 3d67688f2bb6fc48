package dev.halfcell.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

final class ComparisonTest {
  private static final Workload WORKLOAD = new Workload("lenet5", 128);

  private final Comparison comparison =
      Comparison.of(
          WORKLOAD,
          List.of(
              Samples.timing(Samples.halfcell("HalfCell O0", false), 5, 4, 90),
              Samples.timing(Samples.halfcell("HalfCell O2 BF16", true), 2, 3, 1),
              Samples.timing(Samples.peer("libtorch FP32", false, "slow"), 1, 30, 31),
              Samples.timing(Samples.peer("libtorch FP32", false, "fast"), 10, 11, 9),
              Samples.timing(Samples.peer("libtorch BF16", true, ""), 6, 6, 6),
              Samples.timing(Samples.peer("DJL FP32", false, ""), 20, 20, 20)));

  @Test
  void aPeerStandsThereOnceWithItsFastestSettings() {
    assertEquals(
        List.of("HalfCell O0", "HalfCell O2 BF16", "libtorch FP32", "libtorch BF16", "DJL FP32"),
        comparison.rows().stream().map(Row::name).toList());
    assertEquals("fast", row("libtorch FP32").settings());
  }

  @Test
  void aTimeIsTheMedianOfTheRoundsAndTheBestTheirLeast() {
    assertEquals(5, row("HalfCell O0").medianMs());
    assertEquals(4, row("HalfCell O0").bestMs());
  }

  @Test
  void speedUpIsOverTheFastestPeerInFp32() {
    assertEquals(OptionalDouble.of(2), row("HalfCell O0").speedUp());
    assertEquals(OptionalDouble.of(5), row("HalfCell O2 BF16").speedUp());
    assertEquals(OptionalDouble.of(1), row("libtorch FP32").speedUp());
    assertEquals(OptionalDouble.of(0.5), row("DJL FP32").speedUp());
  }

  @Test
  void timeOverO0IsForHalfCellOnly() {
    assertEquals(OptionalDouble.of(0.4), row("HalfCell O2 BF16").timeOverO0());
    assertTrue(row("libtorch BF16").timeOverO0().isEmpty());
  }

  @Test
  void withoutPeersThereIsNoSpeedUp() {
    Timing alone = Samples.timing(Samples.halfcell("HalfCell O0", false), 5);
    assertTrue(Comparison.of(WORKLOAD, List.of(alone)).rows().getFirst().speedUp().isEmpty());
  }

  @Test
  void theTableHasALineForEachRow() {
    List<String> lines = Table.of(comparison).lines().toList();
    assertEquals("lenet5, batch 128", lines.getFirst());
    assertEquals(7, lines.size());
    assertEquals(
        List.of("HalfCell", "O2", "BF16", "2.000", "1.000", "5.00x", "0.40", "1,234,567"),
        List.of(lines.get(3).split(" +")));
    assertTrue(lines.get(4).endsWith(" 1.00x         -        1,234,567  fast"), lines.get(4));
  }

  private Row row(String name) {
    return comparison.rows().stream()
        .filter(row -> row.name().equals(name))
        .findFirst()
        .orElseThrow();
  }
}
