package dev.halfcell.gpu.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The committed PTX is what nvcc makes of the sources, where the right nvcc is there to ask. */
final class PtxIsCurrentTest {
  private static final int NO_NVCC = 3;

  @Test
  void committedKernelsAreThoseOfTheSources() throws IOException, InterruptedException {
    Path script = Path.of(System.getProperty("halfcell.root"), "ops-gpu", "kernels");
    Process process =
        new ProcessBuilder(script.toString(), "--check").redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int code = process.waitFor();
    assumeTrue(code != NO_NVCC, said);
    assertEquals(0, code, said);
  }
}
