package dev.halfcell.features;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;

/**
 * A Java program that stands in a document, in one file, compiled and run as a reader would.
 *
 * @param name the name of its class
 */
record DocumentProgram(String name, String source) {
  private static final String CLASS_PATH = System.getProperty("java.class.path");

  /** Runs it in a Java of its own, from this folder. Returns what it printed. */
  String run(Path folder) throws IOException, InterruptedException {
    compile(folder);
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                folder + System.getProperty("path.separator") + CLASS_PATH,
                name)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), out);
    return out;
  }

  private void compile(Path folder) throws IOException {
    Path file = folder.resolve(name + ".java");
    Files.writeString(file, source);
    int compiled =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-cp", CLASS_PATH, "-d", folder.toString(), file.toString());
    assertEquals(0, compiled, "javac's exit code");
  }
}
