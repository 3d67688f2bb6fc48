package dev.halfcell.gpu.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The committed PTX is what nvcc makes of the sources. */
final class PtxIsCurrentTest {
  private static final int NO_NVCC = 3;
  private static final Path MODULE = Path.of(System.getProperty("halfcell.root"), "ops-gpu");
  private static final Path SOURCES = MODULE.resolve("src/main/cuda");

  private static List<Path> files(Path folder, String ending) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(file -> file.toString().endsWith(ending)).sorted().toList();
    }
  }

  /** That of all headers and a source, one behind the other. */
  private static String digest(Path source) throws IOException, GeneralSecurityException {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    for (Path header : files(SOURCES, ".cuh")) {
      digest.update(Files.readAllBytes(header));
    }
    digest.update(Files.readAllBytes(source));
    return HexFormat.of().formatHex(digest.digest());
  }

  @ParameterizedTest
  @CsvSource({
    "src/main/cuda, src/main/resources/dev/halfcell/gpu/kernel",
    "src/test/cuda, src/test/resources/dev/halfcell/gpu/driver"
  })
  void itNamesTheSourcesThatAreThere(String sources, String texts) throws Exception {
    List<Path> all = files(MODULE.resolve(sources), ".cu");
    assertFalse(all.isEmpty());
    for (Path source : all) {
      String name = String.valueOf(source.getFileName());
      Path text = MODULE.resolve(texts).resolve(name.substring(0, name.length() - 3) + ".ptx");
      assertEquals(
          "// SHA-256 of the sources: " + digest(source),
          Files.readString(text).lines().findFirst().orElse(""),
          () -> text + " is of other sources: run ops-gpu/kernels");
    }
  }

  /** Takes a minute, and the right nvcc. */
  @Tag("slow")
  @Test
  void nvccMakesTheSameOfThem() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(MODULE.resolve("kernels").toString(), "--check")
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int code = process.waitFor();
    assumeTrue(code != NO_NVCC, said);
    assertEquals(0, code, said);
  }
}
