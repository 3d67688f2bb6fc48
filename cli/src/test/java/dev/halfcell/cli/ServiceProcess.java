package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * {@code halfcell serve} or {@code worker} in a process of its own on one folder, to be killed and
 * begun again.
 */
final class ServiceProcess implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 60;

  private final Path folder;
  private final List<String> arguments;
  private final Map<String, String> environment;
  private final int port;
  private final String ready;
  private Process process;

  private ServiceProcess(
      Path folder, List<String> arguments, Map<String, String> environment, int port, String ready)
      throws IOException {
    this.folder = folder;
    this.arguments = arguments;
    this.environment = environment;
    this.port = port;
    this.ready = ready;
    this.process = begin();
  }

  /** Starts one that finds its data in a folder, and returns when it listens. */
  static ServiceProcess start(Path folder, Path data) throws IOException {
    return serve(folder.resolve("service"), data, List.of(), Map.of());
  }

  /**
   * Starts one on a folder that is told more, and returns when it listens.
   *
   * @param data where it finds data sets
   */
  static ServiceProcess serve(
      Path folder, Path data, List<String> more, Map<String, String> environment)
      throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    List<String> arguments = new ArrayList<>(List.of("serve", "--port=" + port));
    arguments.addAll(settings(folder, data));
    arguments.addAll(more);
    return new ServiceProcess(
        folder, arguments, environment, port, "Serving jobs at http://127.0.0.1:" + port);
  }

  /** Starts one without HTTP, and returns when it takes jobs. */
  static ServiceProcess worker(
      Path folder, Path data, List<String> more, Map<String, String> environment)
      throws IOException {
    List<String> arguments = new ArrayList<>(List.of("worker"));
    arguments.addAll(settings(folder, data));
    arguments.addAll(more);
    return new ServiceProcess(
        folder, arguments, environment, 0, "Training jobs of the queue as server ");
  }

  private static List<String> settings(Path folder, Path data) throws IOException {
    Path file =
        Files.writeString(
            folder.resolveSibling(folder.getFileName() + ".yaml"), "dataset: " + data + "\n");
    return List.of("--data=" + folder, "--settings=" + file);
  }

  /** Starts its process anew, and returns when it is ready. */
  private Process begin() throws IOException {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(JavaOptions.ofServer());
    command.addAll(List.of("-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(arguments);
    Path errors = folder.resolveSibling(folder.getFileName() + "-errors.txt");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()));
    builder.environment().putAll(environment);
    Process begun = builder.start();
    BufferedReader out =
        new BufferedReader(new InputStreamReader(begun.getInputStream(), StandardCharsets.UTF_8));
    String line = out.readLine();
    assertNotNull(line, () -> "no server: " + said(errors));
    assertTrue(line.startsWith(ready), line);
    return begun;
  }

  private static String said(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }

  long pid() {
    return process.pid();
  }

  String address() {
    return "http://127.0.0.1:" + port;
  }

  /** Its own folder. */
  Path folder() {
    return folder;
  }

  /** The server dies in the midst of all. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    assertTrue(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS));
  }

  /** One takes the place of one that died. */
  void beginAgain() throws IOException {
    process = begin();
  }

  /** The name of its folder, by which attempts say who made them. */
  String name() throws IOException {
    return Files.readString(folder.resolve("server"));
  }

  /** Asks it to end, and says with which code it did. */
  int end() throws InterruptedException {
    process.destroy();
    assertTrue(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), "it does not end");
    return process.exitValue();
  }

  /** One of its workers, as soon as there is one; none where there was none in time. */
  Optional<ProcessHandle> someWorker() throws InterruptedException {
    List<ProcessHandle> workers = workers();
    for (int tries = 0; tries < 100 && workers.isEmpty(); tries++) {
      TimeUnit.MILLISECONDS.sleep(50);
      workers = workers();
    }
    return workers.stream().findFirst();
  }

  /** One of its workers, as soon as there is one. */
  ProcessHandle awaitWorker() throws InterruptedException {
    return someWorker().orElseThrow();
  }

  /** The workers of this server, whichever of its processes started them. */
  private List<ProcessHandle> workers() {
    return WorkerHandles.of(folder);
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
