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
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * docs/mixed-precision.md says what to write instead of another system's code. Each right-hand side
 * is compiled and run behind the lines of {@code OtherSystems.java.txt}, all in one program.
 */
final class OtherSystemsPageTest {
  private static final String CLASS_PATH = System.getProperty("java.class.path");
  private static final Pattern HEADER = Pattern.compile("\\| in .+ you write \\| in HalfCell .*");
  private static final int LEAST_ROWS = 40;

  @TempDir private Path folder;

  @Test
  void everyRightHandSideCompilesAndRuns() throws Exception {
    List<String> snippets = snippets();
    assertTrue(snippets.size() >= LEAST_ROWS, snippets.size() + " rows");
    Path source = folder.resolve("OtherSystems.java");
    Files.writeString(source, program(snippets));
    int compiled =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-cp", CLASS_PATH, "-d", folder.toString(), source.toString());
    assertEquals(0, compiled, "javac's exit code");
    assertEquals("", run());
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

  private String run() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                folder + System.getProperty("path.separator") + CLASS_PATH,
                "OtherSystems")
            .redirectErrorStream(true)
            .start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), out);
    return out;
  }
}
