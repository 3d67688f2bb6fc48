package dev.halfcell.gpu.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import jcuda.nvptxcompiler.JNvPTXCompiler;
import jcuda.nvptxcompiler.nvPTXCompilerHandle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The committed PTX is assembled for each kind of GPU by the assembler of CUDA 12.0 that JCuda
 * brings along: neither a GPU nor a driver is needed.
 */
final class AssembledPtxTest {
  private static final Pattern SPILLS =
      Pattern.compile("(\\d+) bytes spill stores, (\\d+) bytes spill loads");

  static Stream<Assembly> kernels() throws IOException {
    Path folder =
        Path.of(System.getProperty("halfcell.root"))
            .resolve("ops-gpu/src/main/resources/dev/halfcell/gpu/kernel");
    List<Assembly> all = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.sorted().toList()) {
        for (String target : List.of("sm_80", "sm_86", "sm_89", "sm_90")) {
          all.add(new Assembly(file, target));
        }
      }
    }
    return all.stream();
  }

  record Assembly(Path ptx, String target) {
    @Override
    public String toString() {
      return ptx.getFileName() + " for " + target;
    }
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void everyKernelAssemblesWithoutSpills(Assembly what) throws IOException {
    byte[] text = Files.readAllBytes(what.ptx());
    nvPTXCompilerHandle handle = new nvPTXCompilerHandle();
    byte[] terminated = Arrays.copyOf(text, text.length + 1);
    assertEquals(0, JNvPTXCompiler.nvPTXCompilerCreate(handle, text.length, terminated));
    try {
      String[] options = {"--gpu-name=" + what.target(), "--verbose"};
      int result = JNvPTXCompiler.nvPTXCompilerCompile(handle, options.length, options);
      assertEquals(0, result, () -> errors(handle));
      Matcher spills = SPILLS.matcher(log(handle));
      int entries = 0;
      while (spills.find()) {
        entries++;
        assertEquals("0", spills.group(1), "spill stores");
        assertEquals("0", spills.group(2), "spill loads");
      }
      assertTrue(entries > 0, "the assembler tells of spills");
    } finally {
      JNvPTXCompiler.nvPTXCompilerDestroy(handle);
    }
  }

  private static String errors(nvPTXCompilerHandle handle) {
    long[] size = {0};
    JNvPTXCompiler.nvPTXCompilerGetErrorLogSize(handle, size);
    byte[] log = new byte[Math.toIntExact(size[0])];
    JNvPTXCompiler.nvPTXCompilerGetErrorLog(handle, log);
    return new String(log, StandardCharsets.UTF_8);
  }

  private static String log(nvPTXCompilerHandle handle) {
    long[] size = {0};
    JNvPTXCompiler.nvPTXCompilerGetInfoLogSize(handle, size);
    byte[] log = new byte[Math.toIntExact(size[0])];
    JNvPTXCompiler.nvPTXCompilerGetInfoLog(handle, log);
    return new String(log, StandardCharsets.UTF_8);
  }
}
