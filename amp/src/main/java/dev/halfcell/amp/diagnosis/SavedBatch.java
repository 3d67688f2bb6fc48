package dev.halfcell.amp.diagnosis;

import dev.halfcell.data.Batch;
import dev.halfcell.data.SafeTensors;
import dev.halfcell.disk.Disk;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/**
 * A batch with what is needed to run its step again: the loss scale, and the step it was of. As a
 * safetensors file: tensors {@code input.0} and on, {@code samples}.
 *
 * @param scale the loss scale that the step used
 * @param step the step, counted from 1
 */
public record SavedBatch(Batch batch, double scale, long step) {
  private static final String FORMAT = "halfcell-batch-1";

  /** Writes it. */
  public void write(Path file) {
    write(Disk.local(), file);
  }

  /** The same on that disk. */
  public void write(Disk disk, Path file) {
    SequencedMap<String, Tensor> tensors = new LinkedHashMap<>();
    for (int i = 0; i < batch.inputs().size(); i++) {
      tensors.put("input." + i, batch.inputs().get(i));
    }
    tensors.put("samples", batch.samples());
    Map<String, String> notes =
        Map.of("format", FORMAT, "scale", Double.toString(scale), "step", Long.toString(step));
    new SafeTensors(tensors, notes).write(disk, file);
  }

  /**
   * Reads it into a scope.
   *
   * @throws DataException where the file is none of these
   */
  public static SavedBatch read(Path file, TensorScope scope) {
    SafeTensors contents = SafeTensors.read(file, scope);
    List<Tensor> inputs = new ArrayList<>();
    while (contents.tensors().containsKey("input." + inputs.size())) {
      inputs.add(contents.tensor("input." + inputs.size()));
    }
    Map<String, String> notes = contents.metadata();
    require(FORMAT.equals(notes.get("format")), file, notes);
    require(!inputs.isEmpty() && contents.tensors().containsKey("samples"), file, contents);
    try {
      return new SavedBatch(
          new Batch(inputs, contents.tensor("samples")),
          Double.parseDouble(notes.getOrDefault("scale", "")),
          Long.parseLong(notes.getOrDefault("step", "")));
    } catch (NumberFormatException e) {
      throw new DataException(problem(file, notes), e);
    }
  }

  private static void require(boolean holds, Path file, Object got) {
    if (!holds) {
      throw new DataException(problem(file, got));
    }
  }

  private static Problem problem(Path file, Object got) {
    return new Problem(
        "SavedBatch",
        file.toString(),
        "a saved batch: format " + FORMAT + ", a scale, a step, inputs and samples",
        String.valueOf(got),
        "Name a folder that a run with --diagnose has written.");
  }
}
