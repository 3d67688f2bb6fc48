package dev.halfcell.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** As {@code benchmarks/gpu/measure} starts it, on the emulated GPU that {@code -Prig} builds. */
@Tag("process")
final class MeasureGpuTest {
  private static final Path RIG =
      Path.of(System.getProperty("halfcell.root")).resolve("ops-gpu/target/rig/libcuda.so.1");

  @TempDir private Path folder;

  record Said(int code, String text) {}

  /** The processes that measure are told the driver by the environment, as this one is. */
  private static Said run(Path driver, Class<?> main, String... arguments)
      throws IOException, InterruptedException {
    List<String> java =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            main.getName());
    ProcessBuilder builder =
        new ProcessBuilder(Stream.concat(java.stream(), Stream.of(arguments)).toList());
    builder
        .environment()
        .put("JDK_JAVA_OPTIONS", "-Dhalfcell.gpu.driver=" + driver + " -Dhalfcell.gpu.libraries=");
    Process process = builder.redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Said(process.waitFor(), text);
  }

  private Said measure(Path driver, String... more) throws IOException, InterruptedException {
    Stream<String> few =
        Stream.of(
            "--network=lenet5",
            "--batch-size=2",
            "--rounds=1",
            "--steps=3",
            "--results=" + folder,
            "--check=skipped",
            "--driver=580",
            "--commit=abc");
    return run(
        driver, MeasureGpu.class, Stream.concat(few, Stream.of(more)).toArray(String[]::new));
  }

  @Test
  void levelsAreTimedOnTheGpuAndStandInTheTable() throws Exception {
    assumeTrue(Files.exists(RIG), "skipped: no emulated GPU (`-Prig` builds it)");
    Said measured = measure(RIG, "--level=O2"); // each row is a process of some seconds
    assertEquals(0, measured.code(), measured.text());
    LevelRun run = LevelRun.read(folder);
    assertEquals(
        List.of("HalfCell O0", "HalfCell O2 FP16", "HalfCell O2 BF16"),
        run.rows().stream().map(LevelRow::name).toList());
    for (LevelRow row : run.rows()) {
      assertTrue(row.error().isEmpty() && row.medianMs().orElse(0) > 0, row::toString);
      assertTrue(row.bytes().orElseThrow().planned().orElse(0) > 0, row::toString);
    }
    assertEquals(run.versions().get("gpu"), run.device());
    assertEquals("abc", run.commit());
    Said joined = run(RIG, JoinGpu.class, "--results=" + folder);
    assertEquals(0, joined.code(), joined.text());
    assertTrue(joined.text().contains("lenet5, batch 2 "), joined.text());
    assertTrue(joined.text().contains("HalfCell O2 BF16 "), joined.text());
    assertTrue(Files.exists(folder.resolve("joint.json")));
  }

  @Test
  void withoutADriverEachRowSaysSo() throws Exception {
    Said measured = measure(folder.resolve("none.so"));
    assertEquals(0, measured.code(), measured.text());
    List<LevelRow> rows = LevelRun.read(folder).rows();
    assertEquals(7, rows.size());
    String error = rows.getFirst().error().orElseThrow();
    assertTrue(error.contains("none.so") && error.lines().count() == 1, error);
    assertTrue(rows.getLast().error().orElseThrow().startsWith("not timed"), rows::toString);
  }

  @Test
  void aNetworkThatIsNotTimedIsRefusedInALine() throws Exception {
    Said refused = run(RIG, MeasureGpu.class, "--network=vgg", "--results=" + folder);
    assertEquals(2, refused.code(), refused.text());
    assertTrue(refused.text().contains("[--network]: expected one of lenet5, "), refused.text());
    assertFalse(refused.text().contains("\tat "), refused.text());
  }

  @Test
  void aFolderWithoutTimesCannotBeJoined() throws Exception {
    Said refused = run(RIG, JoinGpu.class, "--results=" + folder);
    assertEquals(2, refused.code(), refused.text());
    assertTrue(refused.text().contains("a folder with a halfcell.json"), refused.text());
  }
}
