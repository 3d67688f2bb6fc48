package dev.halfcell.zoo.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.halfcell.data.SafeTensors;
import dev.halfcell.disk.Disk;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.testkit.disk.CrashDisk;
import dev.halfcell.zoo.Allocations;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/** Whatever bytes a safetensors file has: they are tensors that fill it, or refused. */
final class SafeTensorsFuzzTest {
  private static final Path FILE = Path.of("fuzz.safetensors");

  @FuzzTest(maxDuration = "1h", maxExecutions = 5_000_000)
  void bytesAreTensorsOrRefused(byte[] bytes) throws Throwable {
    Allocations.bounded(bytes.length, () -> read(diskWith(bytes), bytes.length));
  }

  private static void read(Disk disk, int length) {
    try (TensorScope scope = TensorScope.open()) {
      SafeTensors read = SafeTensors.read(disk, FILE, scope);
      long elements = read.tensors().values().stream().mapToLong(t -> t.spec().bytes()).sum();
      assertTrue(elements <= length);
      assertWritten(read, disk);
    } catch (DataException refused) {
      assertFalse(refused.problem().got().isBlank());
    }
  }

  private static Disk diskWith(byte[] bytes) throws IOException {
    Disk disk = new CrashDisk();
    try (Disk.Output file = disk.create(FILE)) {
      file.write(MemorySegment.ofArray(bytes));
    }
    return disk;
  }

  /** What was read can be written, and is the same again. */
  private static void assertWritten(SafeTensors contents, Disk disk) {
    contents.write(disk, FILE);
    try (TensorScope scope = TensorScope.open()) {
      SafeTensors again = SafeTensors.read(disk, FILE, scope);
      assertEquals(contents.metadata(), again.metadata());
      assertEquals(contents.tensors().keySet(), again.tensors().keySet());
      contents
          .tensors()
          .forEach((name, tensor) -> assertTrue(tensor.sameBits(again.tensor(name)), name));
    }
  }
}
