package dev.halfcell.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.cli.Main;
import dev.halfcell.zoo.host.JavaOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A server that a recipe starts, from its first line on. */
record ReadyProcess(Process process, String line) implements AutoCloseable {
  /** The words that start a server as {@code halfcell} does. */
  static List<String> halfcell() {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(JavaOptions.ofServer());
    command.addAll(List.of("-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    return command;
  }

  /** Starts a command and returns when it has said that it is ready. */
  static ReadyProcess start(List<String> command, Map<String, String> environment, Path folder)
      throws IOException {
    Path errors = folder.resolve("errors.txt");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()));
    builder.environment().putAll(environment);
    Process process = builder.start();
    String line =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))
            .readLine();
    ReadyProcess started = new ReadyProcess(process, String.valueOf(line));
    if (line == null) {
      started.close();
    }
    assertNotNull(line, Files.readString(errors));
    return started;
  }

  /** Fails unless it ends with 0 in so many seconds after it was told to. */
  void assertEnded(long seconds) throws InterruptedException {
    assertTrue(process.waitFor(seconds, TimeUnit.SECONDS), "it does not end");
    assertEquals(0, process.exitValue());
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
