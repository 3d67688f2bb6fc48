package dev.halfcell.features;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.client.ClientSettings;
import dev.halfcell.rest.client.Event;
import dev.halfcell.rest.client.HalfCellClient;
import dev.halfcell.rest.client.JobEvents;
import dev.halfcell.zoo.host.JavaOptions;
import dev.halfcell.zoo.job.JobSpecification;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What stands in docs/http.md is what a reader copies: every block of it runs, in their order,
 * against the server that the first of them starts. One thing differs: the port 8080 is a free one,
 * in the text and as what the program takes where it is told of none.
 */
final class HttpPageTest {
  private static final String PAGE = "docs/http.md";

  /** What of a job is promised to be there within five seconds; builds beside it take their part. */
  private static final double MOST_SECONDS = 15;

  /** The blocks that cannot run here, by their first line, and why. */
  private static final Map<String, String> NOT_RUN = Map.of();

  @TempDir private Path folder;

  @Test
  void everyBlockRuns() throws Exception {
    List<DocumentBlock> blocks = DocumentBlock.of(PAGE);
    assertTrue(blocks.size() >= 6, () -> blocks.size() + " blocks in " + PAGE);
    Set<String> names = blocks.stream().map(DocumentBlock::name).collect(Collectors.toSet());
    assertTrue(names.containsAll(NOT_RUN.keySet()), "blocks that are not there any more");
    String port = freePort();
    writeProgram();
    try (DocumentShell shell =
        new DocumentShell(
            folder, Map.of("PORT", port, "HALFCELL_SERVER", "http://127.0.0.1:" + port))) {
      for (DocumentBlock block : blocks) {
        if (!NOT_RUN.containsKey(block.name())) {
          run(new DocumentBlock(block.language(), block.text().replace("8080", port)), shell);
        }
      }
      assertFetched("first");
      assertFetched("second");
      System.out.println(
          String.format(
              Locale.ROOT,
              "submit to first progress event: %.1f s",
              secondsToFirstStep("http://127.0.0.1:" + port)));
    }
  }

  private void run(DocumentBlock block, DocumentShell shell) throws Exception {
    switch (block.language()) {
      case "sh" -> {
        if (block.text().startsWith("./halfcell serve")) {
          shell.start(block.text(), "Serving jobs at http://127.0.0.1:");
        } else {
          shell.run(block.text());
        }
      }
      case "java" -> {
        String printed = new DocumentProgram("Example", block.text()).run(folder);
        assertTrue(printed.contains("SUCCEEDED"), printed);
      }
      default ->
          throw new AssertionError(
              "no run for the block of '%s' in %s: %s"
                  .formatted(block.language(), PAGE, block.name()));
    }
  }

  private static String freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0)) {
      return String.valueOf(free.getLocalPort());
    }
  }

  /** A ./halfcell of the classes that are tested; its server has the port and small data. */
  private void writeProgram() throws IOException {
    Files.writeString(folder.resolve("settings.yaml"), "dataset: embedded\n");
    String script =
        """
        #!/bin/sh
        [ "$1" != serve ] || set -- "$@" --port="$PORT" --settings=settings.yaml
        exec '%s' %s --enable-native-access=ALL-UNNAMED -cp '%s' dev.halfcell.cli.Main "$@"
        """
            .formatted(
                ProcessHandle.current().info().command().orElse("java"),
                String.join(" ", JavaOptions.fixed()),
                System.getProperty("java.class.path"));
    Path program = Files.writeString(folder.resolve("halfcell"), script);
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
  }

  private void assertFetched(String name) {
    for (String file : List.of("model.safetensors", "metrics.jsonl", "summary.json")) {
      assertTrue(Files.exists(folder.resolve(name).resolve(file)), file);
    }
  }

  private static double secondsToFirstStep(String address) {
    try (HalfCellClient client = new HalfCellClient(ClientSettings.at(address))) {
      long sent = System.nanoTime();
      String job =
          client.submit(JobSpecification.of("lenet5").with("/training/epochs", 1)).job().id();
      try (JobEvents events = client.events(job, 0)) {
        Optional<Event> event = events.next();
        while (!"step".equals(event.orElseThrow().kind())) {
          event = events.next();
        }
        double seconds = (System.nanoTime() - sent) / 1e9;
        assertTrue(seconds < MOST_SECONDS, () -> seconds + " s to the first step");
        return seconds;
      } finally {
        client.cancel(job, Duration.ofSeconds(30));
      }
    }
  }
}
