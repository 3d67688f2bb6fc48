package dev.halfcell.cpu.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class VectorModuleTest {
  private static final String USUAL = "mixed mode, sharing";

  @Test
  void vectorsAreUsedWhereJavaHasThemAndOptimizes() {
    assertEquals(Optional.empty(), VectorModule.obstacle(true, USUAL));
    assertEquals(
        Optional.of("faster with --add-modules jdk.incubator.vector"),
        VectorModule.obstacle(false, USUAL));
  }

  /** What this Java says of itself when it is started so. */
  @ParameterizedTest
  @CsvSource({
    "-XX:TieredStopAtLevel=1, faster without -XX:TieredStopAtLevel=1",
    "-Xint, faster without -Xint",
    "-XX:-TieredCompilation, ''",
    "-Xshare:off, ''"
  })
  void aJavaThatDoesNotOptimizeMakesNoVectors(String option, String obstacle) throws IOException {
    assertEquals(
        Optional.of(obstacle).filter(each -> !each.isEmpty()),
        VectorModule.obstacle(true, information(option)),
        option);
  }

  private static String information(String option) throws IOException {
    String java = ProcessHandle.current().info().command().orElseThrow();
    Process process =
        new ProcessBuilder(java, option, "-XshowSettings:properties", "-version")
            .redirectErrorStream(true)
            .start();
    String name = "java.vm.info = ";
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.contains(name))
        .map(line -> line.substring(line.indexOf(name) + name.length()))
        .findFirst()
        .orElseThrow();
  }
}
