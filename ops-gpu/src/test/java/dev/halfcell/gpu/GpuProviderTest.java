package dev.halfcell.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.Backends;
import dev.halfcell.gpu.driver.EmulatedGpu;
import dev.halfcell.gpu.driver.EmulatedLibrary;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a user is told of GPUs, in processes of their own: a process that has loaded a driver keeps
 * it.
 */
@Tag("rig")
final class GpuProviderTest {
  /** Prints what {@code doctor} prints. */
  static final class Doctor {
    private Doctor() {}

    public static void main(String[] arguments) {
      new GpuProvider().diagnose().forEach(System.out::println);
    }
  }

  @TempDir Path folder;

  private String doctor(String... options) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-Djava.io.tmpdir=" + folder);
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Doctor.class.getName()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
    return said;
  }

  @Test
  void theBackendIsFoundByItsName() {
    assertTrue(Backends.providers().stream().anyMatch(each -> each.name().equals("gpu")));
  }

  @Test
  void withADriverItSaysWhichGpuThereIs() throws IOException, InterruptedException {
    Path driver = EmulatedGpu.build().library();
    String said = doctor("-D" + GpuProvider.DRIVER + "=" + driver);
    assertTrue(said.contains("emulated GPU, compute capability 8.0"), said);
    assertTrue(said.contains("CUDA driver 13.0"), said);
  }

  @Test
  void itSaysWhoMultipliesMatrices() throws IOException, InterruptedException {
    String driver = "-D" + GpuProvider.DRIVER + "=" + EmulatedGpu.build().library();
    EmulatedLibrary library = EmulatedLibrary.cublasLt();
    String with = doctor(driver, "-D" + GpuProvider.LIBRARIES + "=" + library.folder());
    assertTrue(with.contains("matrix products by cuBLASLt 13.1.1 (" + library.file() + ")"), with);
    String none = doctor(driver, "-D" + GpuProvider.LIBRARIES + "=" + folder);
    assertTrue(none.contains("matrix products by own kernels: no libcublasLt.so.13"), none);
    String off = doctor(driver, "-D" + GpuProvider.LIBRARIES + "=");
    assertTrue(off.contains("matrix products by own kernels: no library is looked for"), off);
  }

  @Test
  void withoutADriverItSaysSoAndLeavesNothingBehind() throws IOException, InterruptedException {
    Path none = folder.resolve("no-such-driver.so");
    String said = doctor("-D" + GpuProvider.DRIVER + "=" + none);
    assertTrue(said.contains("expected an NVIDIA driver"), said);
    assertTrue(said.contains("--device cpu"), said);
    assertEquals(1, said.strip().lines().count(), said);
    try (var files = Files.list(folder)) {
      assertEquals(List.of(), files.toList(), "unpacked libraries");
    }
  }

  @Test
  void aFileThatIsNoDriverIsRefused() throws IOException, InterruptedException {
    Path text = Files.writeString(folder.resolve("driver.so"), "no library");
    String said = doctor("-D" + GpuProvider.DRIVER + "=" + text);
    assertTrue(said.contains("expected an NVIDIA driver"), said);
  }
}
