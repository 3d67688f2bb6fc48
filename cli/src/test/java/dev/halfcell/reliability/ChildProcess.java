package dev.halfcell.reliability;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A Java process of its own, for what would be felt by other tests. */
record ChildProcess(int exitCode, String output) {
  /**
   * Runs a program on this class path.
   *
   * @param limits shell commands that hold the process to something, such as {@code ulimit}
   */
  static ChildProcess run(String limits, Class<?> main, String... options)
      throws IOException, InterruptedException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command = new ArrayList<>();
    command.addAll(List.of("bash", "-c", limits + " exec \"$0\" \"$@\"", java));
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new ChildProcess(process.waitFor(), output);
  }
}
