package dev.halfcell.benchmarks;

import dev.halfcell.tensor.ArgumentException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Times ResNets of several depths and batches in turn, and says how their cost grows. */
@Command(
    name = "growth",
    showDefaultValues = true,
    description = "Times ResNets of several depths and batches, each in a process of its own.")
final class Growth implements Callable<Integer> {
  private static final List<String> LEVELS = List.of("O0", "O2");
  private static final List<String> HALVES = List.of("FP16", "BF16");
  private static final Workload SMALL_BATCH = new Workload("resnet20", 64);
  private static final Workload LARGE_BATCH = new Workload("resnet20", 256);
  private static final Workload SHALLOW = new Workload("resnet14", 128);
  private static final Workload DEEP = new Workload("resnet56", 128);
  private static final Workload LARGE_IMAGES = new Workload("resnet50", 16);

  @Option(names = "--rounds", description = "How often each is measured.")
  int rounds = 3;

  @Option(names = "--steps", description = "Steps of a process at most; the first half warms up.")
  int steps = 100;

  @Option(names = "--seconds", description = "After which a process begins no other step.")
  double seconds = 30;

  @Option(names = "--level", description = "O0 or O2.")
  String level = "O0";

  @Option(names = "--half", description = "FP16 or BF16.")
  String half = "BF16";

  @Option(names = "--help", usageHelp = true, description = "Shows this.")
  boolean help;

  private Growth() {}

  public static void main(String... arguments) {
    System.exit(
        new CommandLine(new Growth())
            .setExecutionExceptionHandler(new FailureLine())
            .execute(arguments));
  }

  @Override
  public Integer call() {
    ArgumentException.require(rounds >= 1, "--rounds", "1 or more", rounds);
    ArgumentException.require(steps >= Steps.LEAST, "--steps", Steps.LEAST + " or more", steps);
    ArgumentException.require(
        LEVELS.contains(level), "--level", String.join(" or ", LEVELS), level);
    ArgumentException.require(HALVES.contains(half), "--half", String.join(" or ", HALVES), half);
    Map<Workload, List<FirstSteps>> measured = new LinkedHashMap<>();
    for (int round = 0; round < rounds; round++) {
      for (Workload workload : List.of(SMALL_BATCH, LARGE_BATCH, SHALLOW, DEEP, LARGE_IMAGES)) {
        FirstSteps steps = measure(workload);
        measured.computeIfAbsent(workload, _ -> new ArrayList<>()).add(steps);
        System.out.println(line(workload, steps));
      }
    }
    double bySample = cost(measured, LARGE_BATCH) / 256 / (cost(measured, SMALL_BATCH) / 64);
    double byDepth = perOperation(measured, DEEP) / perOperation(measured, SHALLOW);
    System.out.printf(
        Locale.ROOT,
        "time per sample, batch 256 over 64: %.2f; time per multiply-add, depth 56 over 14: %.2f%n",
        bySample,
        byDepth);
    return CommandLine.ExitCode.OK;
  }

  private FirstSteps measure(Workload workload) {
    String name = workload.network() + " of " + workload.batch();
    List<String> command =
        Program.halfcell(
            GrowthProcess.class,
            workload.network(),
            String.valueOf(workload.batch()),
            level,
            half,
            String.valueOf(steps),
            String.valueOf(seconds));
    return new Program(name, command, Map.of()).run(FirstSteps.class);
  }

  private static double cost(Map<Workload, List<FirstSteps>> measured, Workload workload) {
    List<FirstSteps> rounds = measured.getOrDefault(workload, List.of());
    return Median.of(rounds.stream().map(FirstSteps::settledMs).toList());
  }

  private static double perOperation(Map<Workload, List<FirstSteps>> measured, Workload workload) {
    return cost(measured, workload) / workload.flops();
  }

  private static String line(Workload workload, FirstSteps steps) {
    return String.format(
        Locale.ROOT,
        "%s, batch %d: compiled in %.0f ms; step 1 %.0f ms, step 2 %.0f ms, step %d %.0f ms; settled at %.1f ms",
        workload.network(),
        workload.batch(),
        steps.compileMs(),
        steps.stepMs().get(0),
        steps.stepMs().get(1),
        steps.stepMs().size(),
        steps.stepMs().getLast(),
        steps.settledMs());
  }
}
