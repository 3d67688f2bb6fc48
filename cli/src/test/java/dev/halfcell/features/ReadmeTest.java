package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java program in README.md is what a reader copies: it has to compile and to run. */
final class ReadmeTest {
  private static final Pattern JAVA_BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
  private static final String CLASS_PATH = System.getProperty("java.class.path");

  @TempDir private Path folder;

  @Test
  void theExampleTrainsANetwork() throws Exception {
    Path source = folder.resolve("Example.java");
    Files.writeString(source, example());
    int compiled =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-cp", CLASS_PATH, "-d", folder.toString(), source.toString());
    assertEquals(0, compiled, "javac's exit code");
    String out = run();
    Matcher accuracy = Pattern.compile("accuracy (0\\.\\d+)\n").matcher(out);
    assertTrue(accuracy.matches(), out);
    assertTrue(Double.parseDouble(accuracy.group(1)) > 0.6, out);
  }

  private static String example() throws IOException {
    Path readme = Path.of(System.getProperty("halfcell.root"), "README.md");
    Matcher block = JAVA_BLOCK.matcher(Files.readString(readme));
    assertTrue(block.find(), "a block of Java in README.md");
    return block.group(1);
  }

  private String run() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                folder + System.getProperty("path.separator") + CLASS_PATH,
                "Example")
            .redirectErrorStream(true)
            .start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), out);
    return out;
  }
}
