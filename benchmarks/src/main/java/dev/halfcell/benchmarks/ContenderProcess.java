package dev.halfcell.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Runs a contender's process to its end. */
final class ContenderProcess {
  private ContenderProcess() {}

  /** What the process measured; throws, with what it said, where it failed. */
  static Measurement run(Contender contender) {
    try {
      Path errors = Files.createTempFile("contender", ".log");
      try {
        return run(contender, errors);
      } finally {
        Files.delete(errors);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while measuring " + contender, e);
    }
  }

  private static Measurement run(Contender contender, Path errors)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(contender.command());
    builder.environment().keySet().removeAll(Contenders.VARIABLES);
    builder.environment().putAll(contender.environment());
    Process process = builder.redirectError(errors.toFile()).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    List<String> lines = output.lines().filter(line -> line.startsWith("{")).toList();
    if (process.waitFor() != 0 || lines.isEmpty()) {
      throw new MeasurementException(
          contender
              + " failed with exit code "
              + process.exitValue()
              + ":\n"
              + Files.readString(errors).strip());
    }
    return Json.lines().readValue(lines.getLast(), Measurement.class);
  }
}
