package dev.halfcell.features;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every feature that a named system has for mixed precision, and every one that users ask for in
 * vain, has a test: {@code features.txt} names it, and the build writes the table to {@code
 * target/mixed-precision-features.md}.
 */
final class FeatureTableTest {
  private static final Path ROOT = Path.of(System.getProperty("halfcell.root"));

  /**
   * A line of the table.
   *
   * @param group {@code any} of what another system has, {@code none} of what none has
   * @param tests the tests that show it, as Class.method
   */
  private record Row(String group, String feature, List<String> tests) {
    private static Row of(String line) {
      String[] parts = line.split("\\|");
      return new Row(parts[0].trim(), parts[1].trim(), List.of(parts[2].trim().split(" +")));
    }

    private String markdown() {
      return "| " + feature + " | " + String.join("<br>", tests) + " |\n";
    }
  }

  @Test
  void everyFeatureHasATestThatExists() throws IOException {
    List<Row> rows = rows();
    assertEquals(33, rows.stream().filter(row -> row.group().equals("any")).count());
    assertEquals(18, rows.stream().filter(row -> row.group().equals("none")).count());
    List<Path> sources = sources();
    List<String> missing =
        rows.stream()
            .flatMap(row -> row.tests().stream())
            .filter(test -> !exists(test, sources))
            .toList();
    assertEquals(List.of(), missing, "tests that features.txt names and nobody wrote");
    write(rows);
  }

  private static List<Row> rows() throws IOException {
    try (var in = FeatureTableTest.class.getResourceAsStream("features.txt")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(l -> !l.isBlank())
          .map(Row::of)
          .toList();
    }
  }

  /** Tests, and the contracts that tests of each backend inherit. */
  private static List<Path> sources() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> file.toString().contains("/src/"))
          .toList();
    }
  }

  private static boolean exists(String test, List<Path> sources) {
    String[] parts = test.split("\\.");
    Pattern declared =
        Pattern.compile(
            "@(Test|ParameterizedTest|TestFactory|RepeatedTest)\\b[^;{}]*(\\{[^{}]*\\}[^;{}]*)*"
                + "\\b(void|Stream<DynamicTest>) "
                + parts[1]
                + "\\(");
    return sources.stream()
        .filter(file -> file.getFileName().toString().equals(parts[0] + ".java"))
        .anyMatch(file -> declared.matcher(text(file)).find());
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void write(List<Row> rows) throws IOException {
    StringBuilder page = new StringBuilder("| feature | test |\n|---|---|\n");
    rows.forEach(row -> page.append(row.markdown()));
    Path folder = Files.createDirectories(Path.of("target"));
    Files.writeString(folder.resolve("mixed-precision-features.md"), page);
  }
}
