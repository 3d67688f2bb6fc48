package dev.halfcell.benchmarks;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * One way to compute a workload, in a process of its own.
 *
 * @param name who computes, and how precisely: {@code libtorch FP32}; contenders of one name differ
 *     in settings
 * @param side whose it is
 * @param precision what it computes in
 * @param settings what it was told beside
 * @param command starts the process, which prints a {@link Measurement}; steps and seconds of an
 *     {@link Effort} go behind it
 * @param environment its variables
 */
record Contender(
    String name,
    Side side,
    Precision precision,
    String settings,
    List<String> command,
    Map<String, String> environment) {
  /** Whose step is timed. */
  enum Side {
    HALFCELL,
    PEER
  }

  Contender {
    command = List.copyOf(command);
    environment = Map.copyOf(environment);
  }

  /** Whether HalfCell has to be as fast as this one in FP32. */
  boolean fp32Peer() {
    return side == Side.PEER && precision == Precision.FP32;
  }

  /** What measures it to that extent. */
  List<String> command(Effort effort) {
    return Stream.concat(command.stream(), Stream.of("" + effort.steps(), "" + effort.seconds()))
        .toList();
  }

  @Override
  public String toString() {
    return settings.isEmpty() ? name : name + " (" + settings + ")";
  }
}
