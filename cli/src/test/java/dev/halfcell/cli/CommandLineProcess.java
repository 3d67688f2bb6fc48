package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A command line that runs in a process of its own, to be ended as processes are. */
final class CommandLineProcess implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 60;

  private final Process process;
  private final Path errors;

  private CommandLineProcess(Process process, Path errors) {
    this.process = process;
    this.errors = errors;
  }

  static CommandLineProcess start(String... arguments) throws IOException {
    return start(List.of(), arguments);
  }

  /** Starts one with these options for Java. */
  static CommandLineProcess start(List<String> java, String... arguments) throws IOException {
    return start(java, Redirect.DISCARD, arguments);
  }

  /** Starts one that prints into this file or device. */
  static CommandLineProcess printing(Path output, String... arguments) throws IOException {
    return start(List.of(), Redirect.to(output.toFile()), arguments);
  }

  /** The same with these options for Java. */
  static CommandLineProcess printing(Path output, List<String> java, String... arguments)
      throws IOException {
    return start(java, Redirect.to(output.toFile()), arguments);
  }

  /** Starts one that prints into a pipe whose reader is gone. */
  static CommandLineProcess unread(String... arguments) throws IOException {
    CommandLineProcess started = start(List.of(), Redirect.PIPE, arguments);
    started.process.getInputStream().close();
    return started;
  }

  /** {@code env} undoes what a shell in the background may have set: to ignore Ctrl-C. */
  private static CommandLineProcess start(List<String> java, Redirect output, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(
        List.of(
            "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(java);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of(arguments));
    Path errors = Files.createTempFile("halfcell-errors", ".txt");
    return new CommandLineProcess(
        new ProcessBuilder(command).redirectOutput(output).redirectError(errors.toFile()).start(),
        errors);
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Sends {@code INT}, {@code TERM}, {@code KILL}, {@code STOP} or {@code CONT}. */
  void signal(String name) throws IOException, InterruptedException {
    int sent = new ProcessBuilder("kill", "-" + name, String.valueOf(pid())).start().waitFor();
    assertEquals(0, sent, () -> "the process is over: " + said());
  }

  /** The code that it ends with. */
  int exitCode() throws InterruptedException {
    assertTrue(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), "it does not end");
    return process.exitValue();
  }

  /** Kills it at once, and says whether it was still running. */
  boolean kill() throws InterruptedException {
    process.destroyForcibly();
    return exitCode() == 137;
  }

  /** What it has printed as errors. */
  String said() {
    try {
      return Files.readString(errors);
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** Fails unless it ends with this code and one line that says all of this. */
  void assertEnds(int exitCode, String... fragments) throws InterruptedException {
    assertEquals(exitCode, exitCode(), this::said);
    assertEquals(1, said().lines().count(), this::said);
    Stream.concat(Stream.of("halfcell: "), Stream.of(fragments))
        .forEach(each -> assertTrue(said().contains(each), () -> each + " in: " + said()));
  }

  /** Returns when there is something in a file, or such a file in a folder. */
  void await(Path file) throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!Files.exists(file) || Files.size(file) == 0) {
      assertTrue(isAlive() && System.nanoTime() < end, () -> "no " + file + ": " + said());
      TimeUnit.MILLISECONDS.sleep(2);
    }
  }

  @Override
  public void close() throws IOException, InterruptedException {
    process.destroyForcibly().waitFor();
    Files.delete(errors);
  }
}
