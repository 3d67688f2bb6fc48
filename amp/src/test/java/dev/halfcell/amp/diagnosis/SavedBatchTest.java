package dev.halfcell.amp.diagnosis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.data.Batch;
import dev.halfcell.data.SafeTensors;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SavedBatchTest {
  private final TensorScope scope = TensorScope.open();

  @TempDir private Path folder;

  @AfterEach
  void close() {
    scope.close();
  }

  @Test
  void whatIsReadIsWhatWasWritten() {
    Path file = folder.resolve("batch.safetensors");
    Batch batch = Squares.batch(scope, 4, 3);
    new SavedBatch(batch, 1024.5, 17).write(file);
    SavedBatch read = SavedBatch.read(file, scope);
    assertEquals(1024.5, read.scale());
    assertEquals(17, read.step());
    assertEquals(batch.signature(), read.batch().signature());
    for (int i = 0; i < 3; i++) {
      assertTrue(batch.tensors().get(i).sameBits(read.batch().tensors().get(i)), "tensor " + i);
    }
  }

  private void refused(Map<String, String> notes, String... names) {
    Path file = folder.resolve("other.safetensors");
    SequencedMap<String, Tensor> tensors = new LinkedHashMap<>();
    for (String name : names) {
      tensors.put(name, Squares.batch(scope, 4, 3).samples());
    }
    new SafeTensors(tensors, notes).write(file);
    DataException e = assertThrows(DataException.class, () -> SavedBatch.read(file, scope));
    assertEquals(file.toString(), e.problem().where());
  }

  @Test
  void anyOtherFileIsRefused() {
    Map<String, String> right = Map.of("format", "halfcell-batch-1", "scale", "1", "step", "1");
    refused(Map.of("format", "halfcell-checkpoint-1"), "input.0", "samples");
    refused(right, "samples");
    refused(right, "input.0");
    refused(Map.of("format", "halfcell-batch-1", "scale", "1"), "input.0", "samples");
    refused(
        Map.of("format", "halfcell-batch-1", "scale", "big", "step", "1"), "input.0", "samples");
  }
}
