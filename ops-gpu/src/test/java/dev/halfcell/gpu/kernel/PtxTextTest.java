package dev.halfcell.gpu.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import jcuda.nvptxcompiler.JNvPTXCompiler;
import jcuda.nvptxcompiler.nvPTXCompilerHandle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kernels cut out of their file. */
final class PtxTextTest {
  private static final String TWO =
      """
      .version 7.0
      .target sm_80

      .shared .align 4 .b8 memory[128];

      .visible .entry first(
      \t.param .u64 first_param_0
      )
      {
      \tret;

      }
      \t// .globl\tsecond
      .visible .entry second(
      \t.param .u64 second_param_0
      )
      {
      \tret;

      }
      """;

  @Test
  void eachComesWithAllThatStandsOutsideOfKernels() {
    PtxText text = PtxText.of(TWO);
    assertEquals(Set.of("first", "second"), text.names());
    String alone = text.alone("second");
    assertTrue(alone.contains(".version 7.0\n.target sm_80\n"), alone);
    assertTrue(alone.contains("memory[128]"), alone);
    assertTrue(alone.endsWith("second_param_0\n)\n{\n\tret;\n\n}\n"), alone);
    assertTrue(!alone.contains("first("), alone);
  }

  @Test
  void aKernelThatIsNotThereIsADefect() {
    PtxText text = PtxText.of(TWO);
    assertThrows(IllegalStateException.class, () -> text.alone("third"));
  }

  /**
   * Kernels that share a variable outside of them, as all that sum over a block do; and kernels
   * with lines that are but a brace, as those that add in half have.
   */
  @ParameterizedTest
  @ValueSource(strings = {"loss", "partials"})
  void eachOfAFileAssemblesAlone(String file) {
    PtxText text = KernelLibrary.read(file);
    assertTrue(text.names().size() > 3, () -> text.names().toString());
    text.names().forEach(name -> assertEquals(0, assemble(text.alone(name)), name));
  }

  private static int assemble(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    nvPTXCompilerHandle handle = new nvPTXCompilerHandle();
    byte[] terminated = Arrays.copyOf(bytes, bytes.length + 1);
    assertEquals(0, JNvPTXCompiler.nvPTXCompilerCreate(handle, bytes.length, terminated));
    try {
      return JNvPTXCompiler.nvPTXCompilerCompile(handle, 1, new String[] {"--gpu-name=sm_80"});
    } finally {
      JNvPTXCompiler.nvPTXCompilerDestroy(handle);
    }
  }
}
