package dev.halfcell.benchmarks;

import dev.halfcell.backend.BackendProvider;
import dev.halfcell.backend.Backends;
import dev.halfcell.tensor.ArgumentException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Times HalfCell and its peers in turn, prints a table and writes the results. */
@Command(
    name = "compare",
    showDefaultValues = true,
    description = {
      "Times a training step of HalfCell beside other frameworks, each measurement in a",
      "process of its own, in turn. With --without-peers as first argument: HalfCell alone.",
      ""
    })
final class Compare implements Callable<Integer> {
  /** How long the peak of each dtype is measured, each time. */
  private static final String PEAK_SECONDS = "1";

  @Option(names = "--network", split = ",", description = "One or several, by commas; else all.")
  List<String> networks = TimedNetwork.all().stream().map(TimedNetwork::name).toList();

  @Option(names = "--batch-size", description = "Another than each network has here.")
  Optional<Integer> batchSize = Optional.empty();

  @Option(names = "--device", description = "HalfCell's device.")
  String device = "cpu";

  @Option(names = "--rounds", description = "How often each contender is measured.")
  int rounds = 3;

  @Option(names = "--steps", description = "Steps of a process at most; the first third warms up.")
  int steps = 3000;

  @Option(names = "--seconds", description = "After which a process begins no other step.")
  double seconds = 6;

  @Option(names = "--trial-seconds", description = "The same for choosing settings.")
  double trialSeconds = 2;

  @Option(names = "--limit", description = "Seconds after which a process is ended, and failed.")
  int limit = 600;

  @Option(
      names = "--results",
      defaultValue = "${sys:compare.results:-results}",
      description = "The folder of result files, one a kind of CPU.")
  Path results = Path.of("");

  @Option(names = "--commit", hidden = true)
  String commit = "unknown";

  @Option(names = "--peers-class-path", hidden = true)
  Optional<String> peersClassPath = Optional.empty();

  @Option(names = "--help", usageHelp = true, description = "Shows this.")
  boolean help;

  private Compare() {}

  public static void main(String... arguments) {
    System.exit(
        new CommandLine(new Compare())
            .setExecutionExceptionHandler(new FailureLine())
            .execute(arguments));
  }

  @Override
  public Integer call() throws IOException {
    requireOptions();
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    Protocol protocol =
        new Protocol(rounds, new Effort(steps, trialSeconds), new Effort(steps, seconds));
    Map<String, String> versions = new TreeMap<>();
    List<Comparison> comparisons = new ArrayList<>();
    for (Workload workload : workloads()) {
      Standings standings = race(workload, protocol);
      standings.timings().forEach(timing -> versions.putAll(timing.first().versions()));
      comparisons.add(Comparison.of(workload, workload.flops() / 1e9, standings));
      System.out.println("\n" + Table.of(comparisons.getLast()) + "\n");
      // After each network, for a later one may fail, and what was measured took long.
      Results all = new Results(Cpu.here(), load, commit, versions, protocol, comparisons);
      System.out.println(all.cpu().name() + ", load " + load + ": " + all.write(results));
    }
    return CommandLine.ExitCode.OK;
  }

  private void requireOptions() {
    ArgumentException.require(rounds >= 1, "--rounds", "1 or more", rounds);
    ArgumentException.require(steps >= Steps.LEAST, "--steps", Steps.LEAST + " or more", steps);
    ArgumentException.require(limit >= 1, "--limit", "1 or more", limit);
    List<String> devices = Backends.providers().stream().map(BackendProvider::name).toList();
    ArgumentException.require(
        devices.contains(device), "--device", "one of " + String.join(", ", devices), device);
  }

  /** All that were asked for, so that a wrong name is known before the first is timed. */
  private List<Workload> workloads() {
    return networks.stream()
        .map(TimedNetwork::compared)
        .map(network -> new Workload(network.name(), batchSize.orElse(network.batch())))
        .toList();
  }

  private Standings race(Workload workload, Protocol protocol) throws IOException {
    Path start = Files.createTempFile("start", ".bin");
    try {
      workload.writeStart(start);
      Contenders contenders = new Contenders(workload, device);
      List<Contender> all = new ArrayList<>(contenders.halfcell());
      peersClassPath.ifPresent(path -> all.addAll(contenders.peers(path, start)));
      LossAgreement agreement = TimedNetwork.named(workload.network()).agreement();
      return new Race(this::measure, this::peak, agreement, System.err::println).run(all, protocol);
    } finally {
      Files.delete(start);
    }
  }

  private Measurement measure(Contender contender, Effort effort) {
    return new Program(contender.toString(), contender.command(effort), contender.environment())
        .run(Measurement.class, Duration.ofSeconds(limit));
  }

  private Peak peak() {
    List<String> command = Program.halfcell(PeakProcess.class, device, PEAK_SECONDS);
    return new Program("the machine's peak", command, Map.of()).run(Peak.class);
  }
}
