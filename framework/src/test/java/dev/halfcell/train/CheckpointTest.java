package dev.halfcell.train;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.Variable;
import dev.halfcell.data.SafeTensors;
import dev.halfcell.nn.BatchNorm2d;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Conv2d;
import dev.halfcell.nn.Sequential;
import dev.halfcell.op.CellPath;
import dev.halfcell.optim.Adam;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CheckpointTest {
  @TempDir private Path folder;

  private static Cell network(int channels) {
    return new Sequential(new Conv2d(1, channels, 3), new BatchNorm2d(channels));
  }

  private static TrainState state(int channels, long seed) {
    return TrainState.of(network(channels), new Adam(0.1), seed);
  }

  @Test
  void allValuesComeBack() {
    Path file = folder.resolve("run.safetensors");
    try (TrainState written = state(4, 1);
        TrainState read = state(4, 2)) {
      Tensor slot = written.read(conv().slot("first_moment"));
      Elements.set(slot.data(), slot.dtype(), 5, 0.25);
      Elements.set(
          written.read(Variable.applied()).data(), written.read(Variable.applied()).dtype(), 0, 17);
      Checkpoint.write(written, file);
      Checkpoint.read(read, file);
      written
          .values()
          .forEach(
              (variable, value) ->
                  assertTrue(read.read(variable).sameBits(value), variable.toString()));
    }
  }

  @Test
  void weightsAreParametersAndStatisticsUnderDottedNames() throws IOException {
    Path first = folder.resolve("a.safetensors");
    Path second = folder.resolve("b.safetensors");
    try (TrainState state = state(4, 1);
        TrainState other = state(4, 2);
        TensorScope scope = TensorScope.open()) {
      Weights.write(state, first);
      Weights.write(state, second);
      assertArrayEquals(Files.readAllBytes(first), Files.readAllBytes(second));
      assertEquals(
          List.of("0.weight", "0.bias", "1.gamma", "1.beta", "1.mean", "1.variance"),
          List.copyOf(SafeTensors.read(first, scope).tensors().keySet()));
      assertFalse(other.read(conv()).sameBits(state.read(conv())));
      Weights.read(other, first);
      assertTrue(other.read(conv()).sameBits(state.read(conv())));
    }
  }

  @Test
  void whatDoesNotFitIsRefusedAndChangesNothing() {
    Path file = folder.resolve("w.safetensors");
    try (TrainState four = state(4, 1);
        TrainState five = state(5, 1);
        TrainState before = state(5, 1)) {
      Weights.write(four, file);
      DataException shape = assertThrows(DataException.class, () -> Weights.read(five, file));
      assertEquals(
          "0.bias fp32[5]; 0.weight fp32[5, 1, 3, 3]; "
              + "1.beta fp32[5]; 1.gamma fp32[5]; 1.mean fp32[5]; 1.variance fp32[5]",
          shape.problem().expected());
      assertEquals(shape.problem().expected().replace('5', '4'), shape.problem().got());
      DataException format = assertThrows(DataException.class, () -> Checkpoint.read(five, file));
      assertTrue(format.problem().expected().contains("halfcell-checkpoint-1"));
      five.values().forEach((variable, value) -> assertTrue(before.read(variable).sameBits(value)));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"w", "foo:/a", "parameter:", "Parameter:/a"})
  void aNameThatIsNoVariablesIsRefusedWithTheFile(String name) {
    Path file = folder.resolve("named.safetensors");
    try (TrainState state = state(4, 1);
        TensorScope scope = TensorScope.open()) {
      new SafeTensors(
              new LinkedHashMap<>(Map.of(name, scope.allocate(TensorSpec.of(DType.FP32, 1)))),
              Map.of("format", "halfcell-checkpoint-1"))
          .write(file);
      DataException e = assertThrows(DataException.class, () -> Weights.read(state, file));
      assertEquals(file.toString(), e.problem().where());
      assertEquals("'" + name + "'", e.problem().got());
    }
  }

  private static Variable conv() {
    return new Variable(Variable.Kind.PARAMETER, new CellPath("/0/weight"));
  }

  @Test
  void valuesThatWouldShareANameAreRefused() {
    Cell dotted =
        new Sequential(
            new LinkedHashMap<>(
                Map.of(
                    "a.b",
                    new Conv2d(1, 1, 1),
                    "a",
                    new Sequential(Map.of("b", new Conv2d(1, 1, 1))))));
    try (TrainState state = TrainState.of(dotted, 1)) {
      Path file = folder.resolve("dotted.safetensors");
      UsageException e = assertThrows(UsageException.class, () -> Weights.write(state, file));
      assertTrue(e.problem().got().contains("'a.b.weight'"), e.getMessage());
      assertFalse(Files.exists(file));
    }
  }
}
