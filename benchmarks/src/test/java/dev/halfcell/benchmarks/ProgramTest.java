package dev.halfcell.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ProgramTest {
  private static Program shell(String script) {
    return new Program("it", List.of("sh", "-c", script), Map.of());
  }

  @Test
  void theLastLineOfJsonIsWhatItMeasured() {
    Program program = shell("echo noise; echo '{\"steps\":1}'; echo '{\"steps\":2,\"seconds\":3}'");
    assertEquals(new Effort(2, 3), program.run(Effort.class));
  }

  @Test
  void oneThatDoesNotEndIsEnded() {
    ProgramException late =
        assertThrows(
            ProgramException.class,
            () -> shell("exec sleep 600").run(Effort.class, Duration.ofSeconds(1)));
    assertEquals("TimeoutException: not done after 1 s", late.reason());
  }

  @Test
  void whyItFailedIsALine() {
    Program program =
        shell("echo 'Exception in thread \"main\" a.BException: c\n\tat d' >&2; exit 3");
    assertEquals(
        "a.BException: c",
        assertThrows(ProgramException.class, () -> program.run(Effort.class)).reason());
    assertEquals(
        "exit code 9",
        assertThrows(ProgramException.class, () -> shell("exit 9").run(Effort.class)).reason());
  }
}
