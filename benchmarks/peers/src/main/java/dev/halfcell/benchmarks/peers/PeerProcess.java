package dev.halfcell.benchmarks.peers;

import java.io.IOException;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/** Times one peer and prints what it measured as a line of JSON. */
public final class PeerProcess {
  private static final double NANOSECONDS = 1e6;

  private PeerProcess() {}

  /** Takes the arguments of {@link Order}. */
  public static void main(String... arguments) throws IOException {
    Order order = Order.parse(arguments);
    Peer peer =
        switch (order.framework()) {
          case "libtorch" -> new TorchPeer(order);
          case "djl" -> new DjlPeer(order);
          default -> throw new IllegalArgumentException("no framework " + order.framework());
        };
    double[] losses = new double[order.warmup() + order.steps()];
    double[] milliseconds = new double[losses.length];
    for (int step = 0; step < losses.length; step++) {
      long begin = System.nanoTime();
      losses[step] = peer.step();
      milliseconds[step] = (System.nanoTime() - begin) / NANOSECONDS;
    }
    System.out.printf(
        "{\"losses\":%s,\"step_ms\":%s,\"activation_bytes\":null,\"versions\":%s}%n",
        list(Arrays.stream(losses)),
        list(Arrays.stream(milliseconds).skip(order.warmup())),
        peer.versions().entrySet().stream()
            .map(version -> "\"" + version.getKey() + "\":\"" + version.getValue() + "\"")
            .collect(Collectors.joining(",", "{", "}")));
    // Threads of the native libraries may still wait for work.
    System.exit(0);
  }

  private static String list(DoubleStream numbers) {
    return numbers.mapToObj(Double::toString).collect(Collectors.joining(",", "[", "]"));
  }
}
