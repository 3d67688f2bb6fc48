package dev.halfcell.benchmarks;

import dev.halfcell.zoo.host.JavaOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A Java program that measures in a process of its own and prints what it measured as a line of
 * JSON.
 *
 * @param name what to call it where it fails
 * @param command starts it
 * @param environment its variables
 */
record Program(String name, List<String> command, Map<String, String> environment) {
  private static final Duration UNLIMITED = Duration.ofDays(365);

  /** The command that starts a class of HalfCell, with the options that HalfCell is run with. */
  static List<String> halfcell(Class<?> main, String... arguments) {
    return java(
        JavaOptions.fixed(), System.getProperty("java.class.path"), main.getName(), arguments);
  }

  /** The command that starts a class of the peers, with Java as it comes. */
  static List<String> peers(String classPath, String main, String... arguments) {
    List<String> quiet = List.of("-Dai.djl.offline=true", "-DOPT_OUT_TRACKING=true");
    return java(quiet, classPath, main, arguments);
  }

  private static List<String> java(
      List<String> options, String classPath, String main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-cp", classPath, main));
    command.addAll(List.of(arguments));
    return command;
  }

  /** Runs it to its end: what it measured; throws, with what it said, where it failed. */
  <T> T run(Class<T> measured) {
    return run(measured, UNLIMITED);
  }

  /** The same, but ends it after so long, which is a failure too. */
  <T> T run(Class<T> measured, Duration limit) {
    try {
      Path errors = Files.createTempFile("program", ".log");
      try {
        return Json.lines().readValue(lastLine(errors, limit), measured);
      } finally {
        Files.delete(errors);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while measuring " + name, e);
    }
  }

  private String lastLine(Path errors, Duration limit) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().keySet().removeAll(PeerSettings.VARIABLES);
    builder.environment().putAll(environment);
    Process process = builder.redirectError(errors.toFile()).start();
    CompletableFuture<Process> ended = endedAfter(process, limit);
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    List<String> lines = output.lines().filter(line -> line.startsWith("{")).toList();
    if (process.waitFor() != 0 || lines.isEmpty()) {
      String cause =
          ended.isCompletedExceptionally()
              ? "TimeoutException: not done after " + limit.toSeconds() + " s"
              : Files.readString(errors).strip();
      throw new ProgramException(name, process.exitValue(), cause);
    }
    return lines.getLast();
  }

  /** What fails where the process did not end in time; it is killed then. */
  private static CompletableFuture<Process> endedAfter(Process process, Duration limit) {
    CompletableFuture<Process> ended =
        process.onExit().orTimeout(limit.toMillis(), TimeUnit.MILLISECONDS);
    var _ = ended.exceptionally(_ -> process.destroyForcibly());
    return ended;
  }
}
