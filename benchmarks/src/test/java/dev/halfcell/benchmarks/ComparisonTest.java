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
          1.5,
          Samples.standings(
              Samples.timing(Samples.halfcell("HalfCell O0", Precision.FP32), 5, 4, 90),
              Samples.timing(Samples.halfcell("HalfCell O2 BF16", Precision.BF16), 2, 3, 1),
              Samples.timing(Samples.halfcell("HalfCell O2 FP16", Precision.FP16), 10),
              Samples.timing(Samples.peer("libtorch FP32", Precision.FP32, "slow"), 1, 30, 31),
              Samples.timing(Samples.peer("libtorch FP32", Precision.FP32, "fast"), 10, 11, 9),
              Samples.timing(Samples.peer("libtorch BF16 autocast", Precision.BF16, ""), 6, 6, 6),
              Samples.timing(Samples.peer("DJL FP32", Precision.FP32, ""), 20, 20, 20)));

  @Test
  void aPeerStandsThereOnceWithItsFastestSettings() {
    assertEquals(
        List.of(
            "HalfCell O0",
            "HalfCell O2 BF16",
            "HalfCell O2 FP16",
            "libtorch FP32",
            "libtorch BF16 autocast",
            "DJL FP32"),
        comparison.rows().stream().map(Row::name).toList());
    assertEquals("fast", row("libtorch FP32").settings());
  }

  @Test
  void aTimeIsTheMedianOfTheRoundsAndTheBestTheirLeast() {
    assertEquals(5, row("HalfCell O0").medianMs());
    assertEquals(4, row("HalfCell O0").bestMs());
    assertEquals(3, row("HalfCell O0").timedSteps()); // of two a round, the second
  }

  @Test
  void theFastestPeerInFp32IsWhatAllStandTo() {
    assertEquals(OptionalDouble.of(2), row("HalfCell O0").ratios().overFp32Peer());
    assertEquals(OptionalDouble.of(5), row("HalfCell O2 BF16").ratios().overFp32Peer());
    assertEquals(OptionalDouble.of(1), row("libtorch FP32").ratios().overFp32Peer());
    assertEquals(OptionalDouble.of(0.5), row("DJL FP32").ratios().overFp32Peer());
  }

  @Test
  void libtorchInBf16IsWhatHalvesStandTo() {
    assertEquals(OptionalDouble.of(3), row("HalfCell O2 BF16").ratios().overBf16Peer());
    assertEquals(OptionalDouble.of(0.6), row("HalfCell O2 FP16").ratios().overBf16Peer());
    assertTrue(row("HalfCell O0").ratios().overBf16Peer().isEmpty());
    assertTrue(row("DJL FP32").ratios().overBf16Peer().isEmpty());
  }

  @Test
  void timeOverO0IsForHalfCellOnly() {
    assertEquals(OptionalDouble.of(0.4), row("HalfCell O2 BF16").ratios().timeOverO0());
    assertTrue(row("libtorch BF16 autocast").ratios().timeOverO0().isEmpty());
  }

  @Test
  void speedIsOperationsOverTime() {
    assertEquals(300, row("HalfCell O0").gflopPerSecond(), 1e-9);
    assertEquals(750, row("HalfCell O2 BF16").gflopPerSecond(), 1e-9);
  }

  @Test
  void theShareIsOfThePeakInTheSamePrecisionOrFp32WhereAHalfIsSlower() {
    assertEquals(1.5, row("HalfCell O0").shareOfPeak(), 1e-9);
    assertEquals(750.0 / 400, row("HalfCell O2 BF16").shareOfPeak(), 1e-9);
    assertEquals(150.0 / 200, row("HalfCell O2 FP16").shareOfPeak(), 1e-9);
  }

  @Test
  void withoutPeersThereIsNoRatio() {
    Timing alone = Samples.timing(Samples.halfcell("HalfCell O2 BF16", Precision.BF16), 5);
    Row row = Comparison.of(WORKLOAD, 1, Samples.standings(alone)).rows().getFirst();
    assertTrue(row.ratios().overFp32Peer().isEmpty());
    assertTrue(row.ratios().overBf16Peer().isEmpty());
  }

  @Test
  void theTableHasALineForEachRowAndForEachPeerThatIsUnable() {
    List<String> lines = Table.of(comparison).lines().toList();
    assertEquals(
        "lenet5, batch 128: 1.500 GFLOP a step; peak FP32 200, BF16 400, FP16 100 GFLOP/s",
        lines.getFirst());
    assertEquals(3 + 6 + 1, lines.size());
    assertEquals(
        "HalfCell O2 BF16 2.000 1.000 5.00x 3.00x 0.40 750.0 188 % 1.2 2.0 -",
        lines.get(4).replaceAll(" +", " "));
    assertTrue(lines.get(6).endsWith("-  fast"), lines.get(6));
    assertEquals("peer: no op", lines.getLast());
  }

  private Row row(String name) {
    return comparison.rows().stream()
        .filter(row -> row.name().equals(name))
        .findFirst()
        .orElseThrow();
  }
}
