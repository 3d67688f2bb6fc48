package dev.halfcell.zoo.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class JavaOptionsTest {
  /** What the launcher passes to Java is what the program knows of. */
  @Test
  void javaTakesTheFileAsItIs() throws Exception {
    Path file =
        Path.of(Objects.requireNonNull(JavaOptions.class.getResource("java.options")).toURI());
    Process java =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "@" + file,
                "-XX:+PrintFlagsFinal",
                "-version")
            .redirectErrorStream(true)
            .start();
    String said = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, java.waitFor(), said);
    for (String flag : List.of("UseSerialGC", "MaxHeapSize", "ReservedCodeCacheSize")) {
      assertTrue(
          said.lines()
              .anyMatch(line -> line.contains(" " + flag + " ") && line.contains("command line")),
          flag);
    }
  }

  @Test
  void theyAreOptionsAndNothingElse() {
    assertTrue(JavaOptions.fixed().contains("-XX:+UseSerialGC"));
    assertTrue(
        JavaOptions.fixed().stream().allMatch(option -> option.matches("-X[A-Za-z:+=0-9]+")));
  }
}
