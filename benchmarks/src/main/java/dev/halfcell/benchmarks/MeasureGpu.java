package dev.halfcell.benchmarks;

import dev.halfcell.backend.BackendProvider;
import dev.halfcell.backend.Backends;
import dev.halfcell.tensor.ArgumentException;
import java.io.IOException;
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

/** Times HalfCell's training steps on a GPU at each level, and writes {@code halfcell.json}. */
@Command(
    name = "measure",
    showDefaultValues = true,
    description = {
      "Times HalfCell's training steps on a GPU at O0 to O3, in FP16 and BF16, each measurement in",
      "a process of its own, in turn. A level that fails has its reason in place of a time.",
      ""
    })
final class MeasureGpu implements Callable<Integer> {
  /** Cheap ones first; the batches are those of baselines.py. */
  private static final List<Workload> WORKLOADS =
      List.of(
          new Workload("lenet5", 128),
          new Workload("encoder4x256", 16),
          new Workload("resnet20", 128),
          new Workload("resnet50", 256));

  private static final List<String> LEVELS = List.of("O1", "O2", "O3");

  @Option(names = "--network", split = ",", description = "One or several, by commas; else all.")
  List<String> networks = names();

  @Option(names = "--batch-size", description = "Another than each network has here.")
  Optional<Integer> batchSize = Optional.empty();

  @Option(names = "--level", split = ",", description = "Beside O0, by commas.")
  List<String> levels = LEVELS;

  @Option(names = "--device", description = "HalfCell's device.")
  String device = "gpu";

  @Option(names = "--rounds", description = "How often each level is measured.")
  int rounds = 3;

  @Option(names = "--steps", description = "Steps of a process at most; the first third warms up.")
  int steps = 3000;

  @Option(names = "--seconds", description = "After which a process begins no other step.")
  double seconds = 3;

  @Option(names = "--limit", description = "Seconds after which a process is ended, and failed.")
  int limit = 300;

  @Option(names = "--results", description = "The folder of halfcell.json.")
  Path results = Path.of("results");

  @Option(names = "--check", hidden = true)
  String check = "skipped";

  @Option(names = "--driver", hidden = true)
  String driver = "unknown";

  @Option(names = "--commit", hidden = true)
  String commit = "unknown";

  @Option(names = "--help", usageHelp = true, description = "Shows this.")
  boolean help;

  private MeasureGpu() {}

  /** Takes the options that {@code --help} explains. */
  public static void main(String... arguments) {
    System.exit(
        new CommandLine(new MeasureGpu())
            .setExecutionExceptionHandler(new FailureLine())
            .execute(arguments));
  }

  private static List<String> names() {
    return WORKLOADS.stream().map(Workload::network).toList();
  }

  @Override
  public Integer call() throws IOException {
    requireOptions();
    List<LevelRow> rows = new ArrayList<>();
    Map<String, String> versions = new TreeMap<>();
    for (Workload workload : workloads()) {
      for (Attempt attempt : race(workload)) {
        attempt.rounds().forEach(round -> versions.putAll(round.versions()));
        rows.add(LevelRow.of(workload, attempt));
      }
      // After each network: what was timed is worth having should the machine be taken away.
      System.err.println(run(versions, rows).write(results));
    }
    return CommandLine.ExitCode.OK;
  }

  private LevelRun run(Map<String, String> versions, List<LevelRow> rows) {
    String name = versions.getOrDefault("gpu", device);
    Effort effort = new Effort(steps, seconds);
    return new LevelRun(name, driver, commit, check, versions, rounds, effort, rows);
  }

  private void requireOptions() {
    ArgumentException.require(rounds >= 1, "--rounds", "1 or more", rounds);
    ArgumentException.require(steps >= Steps.LEAST, "--steps", Steps.LEAST + " or more", steps);
    for (String level : levels) {
      ArgumentException.require(
          LEVELS.contains(level), "--level", "one of " + String.join(", ", LEVELS), level);
    }
    ArgumentException.require(limit >= 1, "--limit", "1 or more", limit);
    List<String> devices = Backends.providers().stream().map(BackendProvider::name).toList();
    ArgumentException.require(
        devices.contains(device), "--device", "one of " + String.join(", ", devices), device);
  }

  /** All that were asked for, so that a wrong name is known before the first is timed. */
  private List<Workload> workloads() {
    for (String network : networks) {
      ArgumentException.require(
          names().contains(network), "--network", "one of " + String.join(", ", names()), network);
    }
    return WORKLOADS.stream()
        .filter(workload -> networks.contains(workload.network()))
        .map(workload -> new Workload(workload.network(), batchSize.orElse(workload.batch())))
        .toList();
  }

  private List<Attempt> race(Workload workload) {
    LossAgreement agreement = TimedNetwork.named(workload.network()).agreement();
    String title = workload.network() + ", batch " + workload.batch() + ", ";
    return new LevelRace(this::measure, agreement, line -> System.err.println(title + line))
        .run(new Contenders(workload, device).levels(levels), rounds, new Effort(steps, seconds));
  }

  private Measurement measure(Contender contender, Effort effort) {
    return new Program(contender.toString(), contender.command(effort), contender.environment())
        .run(Measurement.class, Duration.ofSeconds(limit));
  }
}
