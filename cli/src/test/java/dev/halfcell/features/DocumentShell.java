package dev.halfcell.features;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A bash in a folder, into which the commands of a document are typed one after the other, so that
 * a variable that one sets is known to the next. What a command starts ends with the shell.
 */
final class DocumentShell implements AutoCloseable {
  private static final String END = "-- end of block";
  private static final long PATIENCE_SECONDS = 60;

  private final Path folder;
  private final Process bash;
  private final Writer in;
  private final BufferedReader out;

  DocumentShell(Path folder, Map<String, String> environment) throws IOException {
    this.folder = folder;
    ProcessBuilder command =
        new ProcessBuilder("bash", "-euo", "pipefail", "-s")
            .directory(folder.toFile())
            .redirectErrorStream(true);
    command.environment().putAll(environment);
    bash = command.start();
    in = bash.outputWriter(StandardCharsets.UTF_8);
    out = new BufferedReader(new InputStreamReader(bash.getInputStream(), StandardCharsets.UTF_8));
  }

  /** Runs commands, all of which have to end well. Returns what they printed. */
  String run(String commands) throws IOException {
    in.write("{\n" + commands + "} </dev/null\necho\necho '" + END + "'\n");
    in.flush();
    StringBuilder printed = new StringBuilder();
    for (String line = out.readLine(); !END.equals(line); line = out.readLine()) {
      assertNotNull(line, () -> "a command failed: " + commands + printed);
      printed.append(line).append('\n');
    }
    return printed.toString();
  }

  /** Starts commands that go on beside the next ones, and waits until they have printed that. */
  void start(String commands, String awaited) throws IOException, InterruptedException {
    Path printed = Files.createTempFile(folder, "printed", ".txt");
    run("{\n" + commands + "} >" + printed.getFileName() + " 2>&1 &\n");
    for (long left = PATIENCE_SECONDS * 20; !Files.readString(printed).contains(awaited); left--) {
      if (left == 0) {
        throw new AssertionError(commands + Files.readString(printed));
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  @Override
  public void close() throws InterruptedException {
    List<ProcessHandle> started = bash.descendants().toList();
    try {
      in.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    started.forEach(ProcessHandle::destroy);
    for (long left = PATIENCE_SECONDS * 20; left > 0 && alive(started) > 0; left--) {
      TimeUnit.MILLISECONDS.sleep(50);
    }
    long left = alive(started);
    started.forEach(ProcessHandle::destroyForcibly);
    bash.destroyForcibly().waitFor();
    assertEquals(0, left, "processes that do not end");
  }

  private static long alive(List<ProcessHandle> processes) {
    return processes.stream().filter(ProcessHandle::isAlive).count();
  }
}
