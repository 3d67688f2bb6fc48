package dev.halfcell.benchmarks.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Times one peer and prints what it measured as a line of JSON. */
public final class PeerProcess {
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
    Steps steps = Steps.run(peer::step, order.steps(), order.seconds());
    System.out.printf(
        "{\"losses\":%s,\"step_ms\":%s,"
            + "\"bytes\":{\"activations\":null,\"planned\":null,\"resident\":%d},\"versions\":%s}%n",
        list(steps.losses()),
        list(steps.milliseconds()),
        residentBytes(),
        peer.versions().entrySet().stream()
            .map(version -> "\"" + version.getKey() + "\":\"" + version.getValue() + "\"")
            .collect(Collectors.joining(",", "{", "}")));
    // Threads of the native libraries may still wait for work.
    System.exit(0);
  }

  private static String list(List<Double> numbers) {
    return numbers.stream().map(String::valueOf).collect(Collectors.joining(",", "[", "]"));
  }

  /** The most that this process has held. */
  private static long residentBytes() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("VmHWM:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
        .findFirst()
        .orElseThrow(() -> new IOException("the system does not say what a process holds"));
  }
}
