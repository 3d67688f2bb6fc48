package dev.halfcell.benchmarks;

import dev.halfcell.benchmarks.Contender.Side;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Contenders and measurements made up for tests. */
final class Samples {
  private Samples() {}

  static Contender halfcell(String name, Precision precision) {
    return new Contender(name, Side.HALFCELL, precision, "", List.of(), Map.of());
  }

  static Contender peer(String name, Precision precision, String settings) {
    return new Contender(name, Side.PEER, precision, settings, List.of(), Map.of());
  }

  /** A process in which each step took as long. */
  static Measurement steps(double milliseconds) {
    return new Measurement(
        List.of(2.0, 1.0),
        List.of(milliseconds, milliseconds),
        new Bytes(OptionalLong.of(1_234_567), OptionalLong.of(2_000_000), OptionalLong.empty()),
        Map.of("java", "25"));
  }

  /** Contenders that were measured, on a machine with peaks of 200, 400 and 100 GFLOP/s. */
  static Standings standings(Timing... timings) {
    return new Standings(List.of(timings), new Peak(200, 400, 100), Map.of("peer", "no op"));
  }

  static Timing timing(Contender contender, double... roundMs) {
    return new Timing(
        contender, 0, steps(9), Arrays.stream(roundMs).mapToObj(Samples::steps).toList());
  }
}
