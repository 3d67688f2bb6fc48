package dev.halfcell.features;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.zoo.host.JavaOptions;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/**
 * What stands in docs/http.md is what a reader copies: every block of it runs, in their order,
 * against the server that the first of them starts. One thing differs: the port 8080 is a free one,
 * in the text and as what the program takes where it is told of none.
 */
@Tag("slow")
final class HttpPageTest {
  private static final String PAGE = "docs/http.md";

  private static final boolean FULL = System.getProperty("halfcell.load", "small").equals("full");

  private static final double GOAL_SECONDS = 5;

  /** What binds where no other test runs beside this one, as those tagged slow have it. */
  private static final double MOST_SECONDS = 15;

  /** The blocks that cannot run here, by their first line, and why. */
  private static final Map<String, String> NOT_RUN =
      Map.of(
          "PredictionResult result = client.predict(job.id(),"
              + " PredictionRequest.ofPixels(image).withTop(1));",
          "two lines of a program; PredictionServiceTest has them");

  /** An event as the program in Java prints it. */
  private static final Pattern EVENT = Pattern.compile("Event\\[.* at=(\\S+), kind=(\\w+),");

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
      assertTrue(Files.exists(folder.resolve("model.safetensors")), "what curl has fetched");
      assertFetched("first");
      assertFetched("second");
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
        requireSoon(secondsToFirstStep(printed));
      }
      case "json" -> assertTrue(new JsonMapper().readTree(block.text()).isObject(), block.name());
      default ->
          throw new AssertionError(
              "no run for the block of '%s' in %s: %s"
                  .formatted(block.language(), PAGE, block.name()));
    }
  }

  /** The goal binds where nothing else may run: {@code -Dhalfcell.load=full}, as in load tests. */
  private static void requireSoon(double seconds) {
    System.out.printf(
        Locale.ROOT,
        "goal | submit to the first progress event | < %.0f s | %.2f s | %s%n",
        GOAL_SECONDS,
        seconds,
        seconds < GOAL_SECONDS ? "met" : "not met");
    double most = FULL ? GOAL_SECONDS : MOST_SECONDS;
    assertTrue(seconds < most, () -> seconds + " s to the first step, and not " + most);
  }

  private static String freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0)) {
      return String.valueOf(free.getLocalPort());
    }
  }

  /**
   * The ./halfcell of the page; its server has small data. In a build it is of the classes that are
   * tested, soon at work; where goals are held it is the reader's own, with all that this one has
   * learned of a start.
   */
  private void writeProgram() throws IOException {
    Files.writeString(folder.resolve("settings.yaml"), "dataset: embedded\n");
    String started =
        FULL
            ? "'%s'".formatted(Path.of(System.getProperty("halfcell.root"), "halfcell"))
            : "'%s' $options -XX:TieredStopAtLevel=1 -cp '%s' dev.halfcell.cli.Main"
                .formatted(
                    ProcessHandle.current().info().command().orElse("java"),
                    System.getProperty("java.class.path"));
    String script =
        """
        #!/bin/sh
        options='%s'
        if [ "$1" = serve ]; then
          options='%s'
          set -- "$@" --port="$PORT" --settings=settings.yaml
        fi
        exec %s "$@"
        """
            .formatted(
                String.join(" ", JavaOptions.fixed()),
                String.join(" ", JavaOptions.ofServer()),
                started);
    Path program = Files.writeString(folder.resolve("halfcell"), script);
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
  }

  private void assertFetched(String name) {
    for (String file : List.of("model.safetensors", "metrics.jsonl", "summary.json")) {
      assertTrue(Files.exists(folder.resolve(name).resolve(file)), file);
    }
  }

  /** From the first event of a job, its acceptance, to the first that tells of a step. */
  private static double secondsToFirstStep(String events) {
    List<MatchResult> told = EVENT.matcher(events).results().toList();
    Instant accepted = Instant.parse(told.getFirst().group(1));
    Instant step =
        told.stream()
            .filter(event -> event.group(2).equals("step"))
            .map(event -> Instant.parse(event.group(1)))
            .findFirst()
            .orElseThrow();
    return Duration.between(accepted, step).toMillis() / 1e3;
  }
}
