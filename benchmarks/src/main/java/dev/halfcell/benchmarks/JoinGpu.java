package dev.halfcell.benchmarks;

import dev.halfcell.tensor.ArgumentException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Joins HalfCell's times on a GPU and PyTorch's: one table, and {@code joint.json}. */
@Command(
    name = "join",
    showDefaultValues = true,
    description = "Prints the times of halfcell.json and pytorch.json side by side.")
final class JoinGpu implements Callable<Integer> {
  @Option(names = "--results", description = "The folder of both; pytorch.json may be missing.")
  Path results = Path.of("results");

  @Option(names = "--help", usageHelp = true, description = "Shows this.")
  boolean help;

  private JoinGpu() {}

  /** Takes the options that {@code --help} explains. */
  public static void main(String... arguments) {
    System.exit(
        new CommandLine(new JoinGpu())
            .setExecutionExceptionHandler(new FailureLine())
            .execute(arguments));
  }

  @Override
  public Integer call() throws IOException {
    ArgumentException.require(
        LevelRun.isIn(results), "--results", "a folder with a halfcell.json", results);
    JointRun joint = JointRun.of(LevelRun.read(results), TorchRun.read(results));
    Path file = joint.write(results);
    System.out.println(JointTable.of(joint));
    System.out.println("\n" + file);
    return CommandLine.ExitCode.OK;
  }
}
