package dev.halfcell.benchmarks;

import dev.halfcell.benchmarks.Contender.Side;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Contenders and measurements made up for tests. */
final class Samples {
  private Samples() {}

  static Contender halfcell(String name, boolean half) {
    return new Contender(name, Side.HALFCELL, half, "", List.of(), Map.of());
  }

  static Contender peer(String name, boolean half, String settings) {
    return new Contender(name, Side.PEER, half, settings, List.of(), Map.of());
  }

  /** A process in which each step took as long. */
  static Measurement steps(double milliseconds) {
    return new Measurement(
        List.of(2.0, 1.0), List.of(milliseconds), OptionalLong.of(1234567), Map.of("java", "25"));
  }

  static Timing timing(Contender contender, double... roundMs) {
    return new Timing(
        contender, 0, steps(9), Arrays.stream(roundMs).mapToObj(Samples::steps).toList());
  }
}
