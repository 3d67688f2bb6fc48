package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.worker.WorkerProcess;
import dev.halfcell.zoo.host.JavaOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * {@code halfcell serve} in a process of its own on one folder and port, to be killed and begun
 * again.
 */
final class ServiceProcess implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 60;

  private final Path folder;
  private final Path settings;
  private final int port;
  private Process process;

  private ServiceProcess(Path folder, Path settings, int port) throws IOException {
    this.folder = folder;
    this.settings = settings;
    this.port = port;
    this.process = begin();
  }

  /** Starts one that finds its data in a folder, and returns when it listens. */
  static ServiceProcess start(Path folder, Path data) throws IOException {
    Path settings = Files.writeString(folder.resolve("settings.yaml"), "dataset: " + data + "\n");
    try (ServerSocket free = new ServerSocket(0)) {
      int port = free.getLocalPort();
      free.close();
      return new ServiceProcess(folder.resolve("service"), settings, port);
    }
  }

  private Process begin() throws IOException {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(JavaOptions.fixed());
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(
        List.of("serve", "--port=" + port, "--data=" + folder, "--settings=" + settings));
    Path errors = folder.resolveSibling("errors.txt");
    Process begun =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()))
            .start();
    BufferedReader out =
        new BufferedReader(new InputStreamReader(begun.getInputStream(), StandardCharsets.UTF_8));
    String line = out.readLine();
    assertNotNull(line, () -> "no server: " + said(errors));
    assertTrue(line.startsWith("Serving jobs at " + address()), line);
    return begun;
  }

  private static String said(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }

  String address() {
    return "http://127.0.0.1:" + port;
  }

  /** The server dies in the midst of all, and another one takes its place. */
  void killAndBegin() throws IOException, InterruptedException {
    process.destroyForcibly();
    assertTrue(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS));
    process = begin();
  }

  /** Asks it to end, and says with which code it did. */
  int end() throws InterruptedException {
    process.destroy();
    assertTrue(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), "it does not end");
    return process.exitValue();
  }

  /** Kills one of its workers, as soon as there is one; whether there was one in time. */
  boolean killWorker() throws InterruptedException {
    List<ProcessHandle> workers = workers();
    for (int tries = 0; tries < 100 && workers.isEmpty(); tries++) {
      TimeUnit.MILLISECONDS.sleep(50);
      workers = workers();
    }
    return !workers.isEmpty() && workers.getFirst().destroyForcibly();
  }

  /**
   * The workers of this service, whichever of its servers started them. Java itself does not tell
   * of arguments as long as a class path.
   */
  List<ProcessHandle> workers() {
    String socket = folder.toAbsolutePath().toString();
    return ProcessHandle.allProcesses()
        .filter(
            each -> {
              List<String> arguments = arguments(each);
              return arguments.contains(WorkerProcess.class.getName())
                  && arguments.getLast().startsWith(socket);
            })
        .toList();
  }

  /** None where it has ended meanwhile. */
  private static List<String> arguments(ProcessHandle process) {
    try {
      return List.of(Files.readString(Path.of("/proc/" + process.pid() + "/cmdline")).split("\0"));
    } catch (IOException e) {
      return List.of();
    }
  }

  /** Fails where a worker lives on. */
  void assertNoWorkers() throws InterruptedException {
    for (int tries = 0; tries < 100 && !workers().isEmpty(); tries++) {
      TimeUnit.MILLISECONDS.sleep(50);
    }
    assertEquals(List.of(), workers());
  }

  @Override
  public void close() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }
}
