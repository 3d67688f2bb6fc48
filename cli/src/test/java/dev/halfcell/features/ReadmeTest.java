package dev.halfcell.features;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java program in README.md is what a reader copies: it has to compile and to run. */
final class ReadmeTest {
  private static final Pattern JAVA_BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  @TempDir private Path folder;

  @Test
  void theExampleTrainsANetwork() throws Exception {
    String out = new DocumentProgram("Example", example()).run(folder);
    Matcher accuracy = Pattern.compile("\\{loss=0\\.\\d+, accuracy=(0\\.\\d+)}\n").matcher(out);
    assertTrue(accuracy.matches(), out);
    assertTrue(Double.parseDouble(accuracy.group(1)) > 0.6, out);
  }

  private static String example() throws IOException {
    Path readme = Path.of(System.getProperty("halfcell.root"), "README.md");
    Matcher block = JAVA_BLOCK.matcher(Files.readString(readme));
    assertTrue(block.find(), "a block of Java in README.md");
    return block.group(1);
  }
}
