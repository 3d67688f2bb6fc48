package dev.halfcell.zoo.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.halfcell.data.SafeTensors;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.TensorScope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whatever bytes a safetensors file has: they are tensors that fill it, or refused. */
final class SafeTensorsFuzzTest {
  @FuzzTest(maxDuration = "3m")
  void bytesAreTensorsOrRefused(byte[] bytes) throws IOException {
    Path file = Files.createTempFile("fuzz", ".safetensors");
    try (TensorScope scope = TensorScope.open()) {
      SafeTensors read = SafeTensors.read(Files.write(file, bytes), scope);
      long elements = read.tensors().values().stream().mapToLong(t -> t.spec().bytes()).sum();
      assertTrue(elements <= bytes.length);
      assertWritten(read, file);
    } catch (DataException refused) {
      assertFalse(refused.problem().got().isBlank());
    } finally {
      Files.delete(file);
    }
  }

  /** What was read can be written, and is the same again. */
  private static void assertWritten(SafeTensors contents, Path file) {
    contents.write(file);
    try (TensorScope scope = TensorScope.open()) {
      SafeTensors again = SafeTensors.read(file, scope);
      assertEquals(contents.metadata(), again.metadata());
      assertEquals(contents.tensors().keySet(), again.tensors().keySet());
      contents
          .tensors()
          .forEach((name, tensor) -> assertTrue(tensor.sameBits(again.tensor(name)), name));
    }
  }
}
