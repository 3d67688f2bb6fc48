package dev.halfcell.cpu.onednn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.tensor.DType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The library's own answers, and how it fails. */
final class NativeLibraryTest {
  @Test
  void aFileThatIsNoLibraryIsNamed(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("libdnnl.so.3"), "not a library");
    NativeLibraryException e =
        assertThrows(NativeLibraryException.class, () -> new Functions(file));
    assertEquals(file.toString(), e.problem().where());
    assertFalse(e.problem().fix().isBlank());
  }

  @Test
  void aFunctionThatIsMissingIsNamed() {
    Functions functions = new Functions(NativeFiles.unpack().onednn());
    NativeLibraryException e =
        assertThrows(NativeLibraryException.class, () -> functions.handle('I', "dnnl_no_such", ""));
    assertTrue(e.problem().expected().contains("dnnl_no_such"), e.getMessage());
  }

  @Test
  void aWrongCallIsAnErrorThatNamesTheFunction() {
    try (OneDnn onednn = OneDnn.open();
        Handles handles = new Handles()) {
      Descriptor a = onednn.dense(handles, DType.FP32, 2, 3);
      Recipes recipes = new Recipes(onednn, handles);
      NativeCallException e =
          assertThrows(NativeCallException.class, () -> recipes.product(a, a, Descriptor.NONE, a));
      assertEquals("dnnl_matmul_primitive_desc_create", e.problem().subject());
    }
  }

  @Test
  void sixtyFourBitsAreForTheReferenceBackend() {
    try (OneDnn onednn = OneDnn.open();
        Handles handles = new Handles()) {
      assertThrows(UnsupportedException.class, () -> onednn.dense(handles, DType.FP64, 2, 3));
    }
  }

  @Test
  void instructionSetsAreReadFromTheirBits() {
    assertTrue(new Isa(0xe7).bf16());
    assertFalse(new Isa(0x27).bf16());
    assertTrue(new Isa(0x1ef).fp16());
    assertFalse(new Isa(0xe7).fp16());
    assertEquals("avx2, avx512_core", new Isa(0x27).toString());
    assertEquals("none of avx2 and above", new Isa(0x3).toString());
  }
}
