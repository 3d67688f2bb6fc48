package dev.halfcell.cli;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Backends;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.verify.GoldenCheck;
import dev.halfcell.verify.GoldenVectors;
import dev.halfcell.verify.Verification;
import dev.halfcell.zoo.run.VerificationReport;
import dev.halfcell.zoo.trajectory.GoldenTrajectories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code halfcell verify}. */
@Command(
    name = "verify",
    description =
        "Computes again what the golden vector files of a folder hold, and compares: ops,"
            + " optimizers, trajectories.",
    footer = {
      "",
      "A row tells the error that is worst by what is allowed for it. What has no implementation"
          + " is not covered, and a trajectory whose data set is not here is data missing: neither"
          + " counts as passed. Ends with 1 where a row failed."
    },
    mixinStandardHelpOptions = true)
final class VerifyCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(index = "0", paramLabel = "DIR", description = "The folder with the files.")
  private Path folder;

  @Option(
      names = "--device",
      paramLabel = "cpu|gpu|reference|auto",
      defaultValue = "auto",
      description = "What computes. Default: auto.")
  private String device;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Write the rows and counts to this file too.")
  private Optional<Path> json;

  VerifyCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    json.ifPresent(VerifyCommand::requireWritable);
    List<Path> files = GoldenVectors.files(folder);
    VerificationReport report;
    try (Backend backend = Backends.open(device)) {
      report = new VerificationReport(folder.toString(), backend.name(), rows(files, backend));
    }
    console.out().println(report.counts());
    console.out().flush();
    json.ifPresent(file -> write(report, file));
    return report.failed() ? ExitCode.FAILURE : ExitCode.SUCCESS;
  }

  private List<Verification> rows(List<Path> files, Backend backend) {
    VerificationTable table = VerificationTable.over(files, console.out());
    table.header();
    List<GoldenCheck> checks = new ArrayList<>(GoldenVectors.standardChecks());
    checks.add(new GoldenTrajectories());
    GoldenVectors vectors = new GoldenVectors(checks);
    List<Verification> rows = new ArrayList<>();
    for (Path file : files) {
      for (Verification row : vectors.verify(file, backend)) {
        table.print(row);
        rows.add(row);
      }
    }
    return rows;
  }

  /** Before minutes of computing, and not after. */
  private static void requireWritable(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    if (Files.isDirectory(file)
        || folder == null
        || !Files.isWritable(Files.exists(file) ? file : folder)) {
      throw unwritable(file);
    }
  }

  private static void write(VerificationReport report, Path file) {
    try {
      Files.writeString(file, report.json());
    } catch (IOException e) {
      throw unwritable(file);
    }
  }

  private static ArgumentException unwritable(Path file) {
    return new ArgumentException(
        new Problem(
            "--json",
            file.toString(),
            "a file that can be written",
            "one that cannot",
            "Name a file in a folder that is there and yours."));
  }
}
