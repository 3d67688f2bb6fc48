package dev.halfcell.gpu.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import jcuda.nvptxcompiler.JNvPTXCompiler;
import jcuda.nvptxcompiler.nvPTXCompilerHandle;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The committed PTX is assembled for each kind of GPU by the assembler of CUDA 12.0 that JCuda
 * brings along: neither a GPU nor a driver is needed. It takes minutes and always says the same of
 * the same text, so that a build has only what changed assembled: it has the texts that passed
 * written down, by their SHA-256.
 */
final class AssembledPtxTest {
  private static final Path MODULE = Path.of(System.getProperty("halfcell.root"), "ops-gpu");

  /** What passed: a line for each text and kind of GPU, as {@code sha256sum} writes them. */
  private static final Path PASSED = MODULE.resolve("src/test/resources/assembled-ptx.txt");

  private static final Pattern SPILLS =
      Pattern.compile("(\\d+) bytes spill stores, (\\d+) bytes spill loads");

  record Assembly(Path ptx, String target) {
    /** As it stands among those that passed. */
    String line() throws IOException, GeneralSecurityException {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(ptx));
      return HexFormat.of().formatHex(digest) + "  " + ptx.getFileName() + " " + target;
    }

    @Override
    public String toString() {
      return ptx.getFileName() + " for " + target;
    }
  }

  private static List<Assembly> all() throws IOException {
    Path folder = MODULE.resolve("src/main/resources/dev/halfcell/gpu/kernel");
    List<Assembly> all = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.sorted().toList()) {
        for (String target : List.of("sm_80", "sm_86", "sm_89", "sm_90")) {
          all.add(new Assembly(file, target));
        }
      }
    }
    return all;
  }

  private static List<String> lines() throws IOException, GeneralSecurityException {
    List<String> lines = new ArrayList<>();
    for (Assembly each : all()) {
      lines.add(each.line());
    }
    return lines;
  }

  /** Those of small texts: the assembler is there, and says what is read below. */
  static Stream<Assembly> small() throws IOException {
    List<String> names = List.of("schedule.ptx", "cast.ptx");
    return all().stream().filter(each -> names.contains(String.valueOf(each.ptx().getFileName())));
  }

  @Test
  void everyKernelHasPassed() throws Exception {
    assertEquals(
        lines(),
        Files.readAllLines(PASSED),
        () ->
            PASSED
                + ": kernels have changed since they were assembled. Run"
                + " ./mvnw -pl ops-gpu -am test -Dgroups=slow -Dtest=AssembledPtxTest"
                + " -Dsurefire.failIfNoSpecifiedTests=false, which writes it");
  }

  @ParameterizedTest
  @MethodSource
  void small(Assembly what) throws IOException {
    assemble(what);
  }

  /** All of them, which takes three minutes; writes down those that passed. */
  @Tag("slow")
  @Test
  void everyKernelAssemblesWithoutSpills() throws Exception {
    for (Assembly each : all()) {
      assemble(each);
    }
    Files.write(PASSED, lines());
  }

  private static void assemble(Assembly what) throws IOException {
    byte[] text = Files.readAllBytes(what.ptx());
    nvPTXCompilerHandle handle = new nvPTXCompilerHandle();
    byte[] terminated = Arrays.copyOf(text, text.length + 1);
    assertEquals(0, JNvPTXCompiler.nvPTXCompilerCreate(handle, text.length, terminated));
    try {
      String[] options = {"--gpu-name=" + what.target(), "--verbose"};
      int result = JNvPTXCompiler.nvPTXCompilerCompile(handle, options.length, options);
      assertEquals(0, result, () -> what + ": " + errors(handle));
      Matcher spills = SPILLS.matcher(log(handle));
      int entries = 0;
      while (spills.find()) {
        entries++;
        assertEquals("0", spills.group(1), () -> what + ": spill stores");
        assertEquals("0", spills.group(2), () -> what + ": spill loads");
      }
      assertTrue(entries > 0, () -> "the assembler tells of spills in " + what);
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
