package dev.halfcell.cli;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.BackendProvider;
import dev.halfcell.backend.Backends;
import dev.halfcell.cli.text.Figures;
import dev.halfcell.cli.text.Table;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.HalfCellException;
import dev.halfcell.zoo.host.Cpu;
import dev.halfcell.zoo.host.Gpus;
import dev.halfcell.zoo.host.JavaOptions;
import dev.halfcell.zoo.host.Memory;
import dev.halfcell.zoo.host.Versions;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;

/** {@code halfcell doctor}. */
@Command(
    name = "doctor",
    description = "Says what this machine has, and what HalfCell will therefore use.",
    footer = {"", "Ends with 1 where no device can be used that auto may choose."},
    mixinStandardHelpOptions = true)
final class DoctorCommand implements Callable<Integer> {
  private static final List<DType> TRAINED_IN = List.of(DType.FP32, DType.BF16, DType.FP16);

  private final Console console;

  DoctorCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    Table table = new Table();
    machine(table);
    for (BackendProvider provider : Backends.providers()) {
      rows(table, "device " + provider.name(), provider.diagnose());
    }
    boolean usable = choice(table);
    table.lines().forEach(console.out()::println);
    console.out().flush();
    return usable ? ExitCode.SUCCESS : ExitCode.FAILURE;
  }

  private static void machine(Table table) {
    Cpu cpu = Cpu.here();
    Runtime java = Runtime.getRuntime();
    table.row("HalfCell", Versions.halfcell());
    table.row(
        "Java",
        Runtime.version()
            + " ("
            + System.getProperty("java.vendor")
            + "), heap up to "
            + Figures.bytes(java.maxMemory()));
    table.row("", options(JavaOptions.missing()));
    table.row("CPU", cpu.name() + ", " + java.availableProcessors() + " hardware threads");
    table.row("", "has " + features(cpu::has));
    table.row("", "lacks " + features(feature -> !cpu.has(feature)));
    table.row("memory", Figures.bytes(Memory.total()));
    rows(table, "GPUs", gpus());
  }

  private static String options(List<String> missing) {
    return missing.isEmpty()
        ? "started with HalfCell's own options: " + listed(JavaOptions.fixed())
        : "started without some of HalfCell's own options: " + listed(missing);
  }

  /** Java's compiler is told a dozen things, which are said by their file. */
  static String listed(List<String> options) {
    List<String> others =
        options.stream().filter(option -> !option.startsWith(JavaOptions.COMPILER)).toList();
    int told = options.size() - others.size();
    return Stream.of(
            String.join(" ", others), told == 0 ? "" : told + " for the compiler (vector.options)")
        .filter(part -> !part.isEmpty())
        .collect(Collectors.joining(" and "));
  }

  private static String features(Predicate<String> wanted) {
    String found = Cpu.FEATURES.stream().filter(wanted).collect(Collectors.joining(", "));
    return found.isEmpty() ? "none of the features that matter" : found;
  }

  private static List<String> gpus() {
    List<String> cards = Gpus.here();
    if (!cards.isEmpty()) {
      return cards;
    }
    return List.of(
        Gpus.driverLoaded() ? "none found, though the NVIDIA driver is loaded" : "none found");
  }

  private static void rows(Table table, String title, List<String> lines) {
    for (int i = 0; i < lines.size(); i++) {
      table.row(i == 0 ? title : "", lines.get(i));
    }
  }

  /** What {@code --device auto} comes to. */
  private static boolean choice(Table table) {
    try (Backend chosen = Backends.open("auto")) {
      table.row("will use", "device " + chosen.name() + " for --device auto");
      table.row("", dtypes(chosen));
      return true;
    } catch (HalfCellException unusable) {
      table.row("will use", "nothing by itself: " + unusable.getMessage());
      return false;
    }
  }

  private static String dtypes(Backend chosen) {
    return TRAINED_IN.stream()
        .map(
            dtype ->
                dtype.label()
                    + (chosen.capabilities().computes().contains(dtype)
                        ? ": computed in"
                        : ": storage only, computed on in fp32"))
        .collect(Collectors.joining("; "));
  }
}
