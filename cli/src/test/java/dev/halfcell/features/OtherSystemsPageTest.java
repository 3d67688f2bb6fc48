package dev.halfcell.features;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * docs/mixed-precision.md says what to write instead of another system's code. Each right-hand side
 * is compiled and run behind the lines of {@code OtherSystems.java.txt}, all in one program.
 */
final class OtherSystemsPageTest {
  private static final Pattern HEADER = Pattern.compile("\\| in .+ you write \\| in HalfCell .*");
  private static final int LEAST_ROWS = 40;

  @TempDir private Path folder;

  @Test
  void everyRightHandSideCompilesAndRuns() throws Exception {
    List<String> snippets = snippets();
    assertTrue(snippets.size() >= LEAST_ROWS, snippets.size() + " rows");
    assertEquals("", new DocumentProgram("OtherSystems", program(snippets)).run(folder));
  }

  /** The code of the last column of each row below such a header. */
  private static List<String> snippets() throws IOException {
    Path page = Path.of(System.getProperty("halfcell.root"), "docs/mixed-precision.md");
    List<String> snippets = new ArrayList<>();
    boolean inside = false;
    for (String line : Files.readAllLines(page)) {
      inside = HEADER.matcher(line).matches() || (inside && line.startsWith("|"));
      String last = line.substring(line.lastIndexOf("| ", line.length() - 3) + 1);
      if (inside && last.contains("`")) {
        snippets.add(last.substring(last.indexOf('`') + 1, last.lastIndexOf('`')));
      }
    }
    return snippets;
  }

  /** The frame, with a method for each snippet that runs it behind the frame's own lines. */
  private static String program(List<String> snippets) throws IOException {
    try (var in = OtherSystemsPageTest.class.getResourceAsStream("OtherSystems.java.txt")) {
      String[] frame = new String(in.readAllBytes(), StandardCharsets.UTF_8).split("-----\n");
      StringBuilder rows = new StringBuilder(frame[0]);
      for (int i = 0; i < snippets.size(); i++) {
        String statement = snippets.get(i).endsWith(";") ? snippets.get(i) : snippets.get(i) + ";";
        rows.append(frame[1].replace("ROW", "row" + i).replace("SNIPPET", statement));
      }
      return rows.append("}\n").toString();
    }
  }
}
