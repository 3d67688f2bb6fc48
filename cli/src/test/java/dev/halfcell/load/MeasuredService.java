package dev.halfcell.load;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.cli.WorkerHandles;
import dev.halfcell.zoo.host.JavaOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * {@code halfcell serve} in a process of its own: in the full size by the launcher, as users start
 * it, else of the classes that are tested. {@code -Dhalfcell.load.java} has more options for its
 * Java, which in the full size its workers take too.
 */
final class MeasuredService implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 60;
  private static final long CLOSING_SECONDS = 15;

  private final Path folder;
  private final Path settings;
  private final int workers;
  private final int port;
  private Process process;

  private MeasuredService(Path folder, Path settings, int workers, int port) throws IOException {
    this.folder = folder;
    this.settings = settings;
    this.workers = workers;
    this.port = port;
    this.process = begin();
  }

  /**
   * Starts one, and returns when it listens.
   *
   * @param settings the lines of its settings file
   */
  static MeasuredService start(Path folder, int workers, String... settings) throws IOException {
    Path file = Files.write(folder.resolve("settings.yaml"), List.of(settings));
    try (ServerSocket free = new ServerSocket(0)) {
      int port = free.getLocalPort();
      free.close();
      return new MeasuredService(folder.resolve("service"), file, workers, port);
    }
  }

  private Process begin() throws IOException {
    String more = System.getProperty("halfcell.load.java", "");
    List<String> command = new ArrayList<>(Size.chosen() == Size.FULL ? launcher() : tested(more));
    command.add("serve");
    command.addAll(List.of("--port=" + port, "--data=" + folder, "--settings=" + settings));
    command.add("--workers=" + workers);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(errors().toFile()));
    if (Size.chosen() == Size.FULL) {
      builder.environment().put("HALFCELL_JAVA_OPTS", more);
    }
    Process begun = builder.start();
    BufferedReader out =
        new BufferedReader(new InputStreamReader(begun.getInputStream(), StandardCharsets.UTF_8));
    String line = out.readLine();
    assertNotNull(line, () -> "no server: " + said());
    assertTrue(line.startsWith("Serving jobs at http://127.0.0.1:" + port), line);
    return begun;
  }

  /** What users start, which becomes the server. */
  private static List<String> launcher() {
    return List.of(Path.of(System.getProperty("halfcell.root"), "halfcell").toString());
  }

  /** The classes that are tested, which lie in no jar. */
  private static List<String> tested(String more) {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(JavaOptions.ofServer());
    command.addAll(Arrays.stream(more.split("\\s+")).filter(each -> !each.isEmpty()).toList());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), "dev.halfcell.cli.Main"));
    return command;
  }

  private Path errors() {
    return folder.resolveSibling("errors.txt");
  }

  /** What it has logged. */
  String said() {
    try {
      return Files.exists(errors()) ? Files.readString(errors()) : "";
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** How many errors it has logged. */
  long errorsLogged() {
    return said().lines().filter(line -> line.contains("Error")).count();
  }

  int port() {
    return port;
  }

  /** Where the files of jobs lie. */
  Path folder() {
    return folder;
  }

  ServerFigures figures() throws IOException {
    return ServerFigures.of(process.pid());
  }

  /** The server dies in the midst of all. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    assertTrue(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS));
  }

  /** Another one takes the place of one that died. */
  void beginAgain() throws IOException {
    process = begin();
  }

  /** Asks it to end, and says with which code it did. */
  int end() throws InterruptedException {
    process.destroy();
    assertTrue(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), "it does not end");
    return process.exitValue();
  }

  /** The workers of this service, whichever of its servers started them. */
  List<ProcessHandle> workers() {
    return WorkerHandles.of(folder);
  }

  /** How many workers are left when those that end have had time for it. */
  int workersLeft() throws InterruptedException {
    for (int tries = 0; tries < 100 && !workers().isEmpty(); tries++) {
      TimeUnit.MILLISECONDS.sleep(50);
    }
    return workers().size();
  }

  /** In good order where it can, so that its recordings are whole. */
  @Override
  public void close() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(CLOSING_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
  }
}
