package dev.halfcell.benchmarks;

import dev.halfcell.backend.BackendProvider;
import dev.halfcell.backend.Backends;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.HalfCellException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
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
  @Option(names = "--network", description = "A network of the zoo that the peers have too.")
  String network = "lenet5";

  @Option(names = "--batch-size", split = ",", description = "One or several, by commas.")
  List<Integer> batchSizes = List.of(128, 64);

  @Option(names = "--device", description = "HalfCell's device.")
  String device = "cpu";

  @Option(names = "--rounds", description = "How often each contender is measured.")
  int rounds = 5;

  @Option(names = "--warmup", description = "Steps of a process before the timed ones.")
  int warmup = 100;

  @Option(names = "--steps", description = "Timed steps of a process.")
  int steps = 300;

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
            .setExecutionExceptionHandler((failure, line, _) -> explain(failure, line))
            .execute(arguments));
  }

  private static int explain(Exception failure, CommandLine line) throws Exception {
    switch (failure) {
      case ArgumentException e -> {
        line.getErr().println("compare: " + e.getMessage());
        return CommandLine.ExitCode.USAGE;
      }
      case HalfCellException e -> line.getErr().println("compare: " + e.getMessage());
      case MeasurementException e -> line.getErr().println("compare: " + e.getMessage());
      case IOException e -> line.getErr().println("compare: " + e);
      default -> throw failure;
    }
    return CommandLine.ExitCode.SOFTWARE;
  }

  @Override
  public Integer call() throws IOException {
    requirePositive("--rounds", rounds);
    requirePositive("--steps", steps);
    ArgumentException.require(warmup >= 0, "--warmup", "0 or more", warmup);
    List<String> devices = Backends.providers().stream().map(BackendProvider::name).toList();
    ArgumentException.require(
        devices.contains(device), "--device", "one of " + String.join(", ", devices), device);
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    Protocol protocol = new Protocol(rounds, warmup, steps);
    Map<String, String> versions = new TreeMap<>();
    List<Comparison> comparisons = new ArrayList<>();
    for (int batch : batchSizes) {
      requirePositive("--batch-size", batch);
      List<Timing> timings = time(new Workload(network, batch), protocol);
      timings.forEach(timing -> versions.putAll(timing.first().versions()));
      comparisons.add(Comparison.of(new Workload(network, batch), timings));
      System.out.println("\n" + Table.of(comparisons.getLast()) + "\n");
    }
    Results all = new Results(Cpu.here(), load, commit, versions, protocol, comparisons);
    System.out.println(all.cpu().name() + ", load " + load + ": " + all.write(results));
    return CommandLine.ExitCode.OK;
  }

  private static void requirePositive(String option, int number) {
    ArgumentException.require(number >= 1, option, "1 or more", number);
  }

  private List<Timing> time(Workload workload, Protocol protocol) throws IOException {
    Path start = Files.createTempFile("start", ".bin");
    try {
      workload.writeStart(start);
      Contenders contenders = new Contenders(workload, protocol, device);
      List<Contender> all = new ArrayList<>(contenders.halfcell());
      peersClassPath.ifPresent(path -> all.addAll(contenders.peers(path, start)));
      return new Race(ContenderProcess::run, System.err::println).run(all, rounds);
    } finally {
      Files.delete(start);
    }
  }
}
