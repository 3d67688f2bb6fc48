package dev.halfcell.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.halfcell.op.precision.Cast;
import dev.halfcell.op.precision.CellOutput;
import dev.halfcell.op.random.Dropout;
import dev.halfcell.op.random.RandomKey;
import dev.halfcell.op.shape.Reshape;
import dev.halfcell.op.update.SgdRule;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class SimplifyTest {
  private final Sketch sketch = new Sketch();

  @AfterEach
  void close() {
    sketch.close();
  }

  private static List<String> simplified(Program program) {
    return Sketch.labels(Fusion.simplify(program));
  }

  @Test
  void identitiesAreReadThrough() {
    Tensor x = sketch.input(DType.FP32, 2, 3);
    Tensor same = sketch.ops.run(new CellOutput(), sketch.ops.run(new Cast(DType.FP32), x));
    Tensor shaped = sketch.ops.run(new Reshape(Shape.of(2, 3)), same);
    Program program = new DropIdentities().apply(sketch.results(sketch.ops.relu(shaped), shaped));
    assertEquals(List.of("Relu"), Sketch.labels(program));
    assertEquals(List.of(0), program.tasks().getFirst().in());
    assertEquals(0, program.outcome().results().getLast());
  }

  @Test
  void aCastBackFromAWiderDtypeIsDropped() {
    Tensor half = sketch.input(DType.BF16, 4);
    Tensor wide = sketch.ops.cast(half, DType.FP32);
    Tensor back = sketch.ops.cast(wide, DType.BF16);
    assertEquals(List.of("Relu"), simplified(sketch.results(sketch.ops.relu(back))));
  }

  @Test
  void aCastThatRoundsIsKept() {
    Tensor x = sketch.input(DType.FP32, 4);
    Tensor rounded = sketch.ops.cast(sketch.ops.cast(x, DType.FP16), DType.FP32);
    assertEquals(List.of("Cast", "Cast"), simplified(sketch.results(rounded)));
  }

  @Test
  void aCastThatTruncatesIsKept() {
    Tensor half = sketch.input(DType.FP16, 4);
    Tensor whole = sketch.ops.cast(sketch.ops.cast(half, DType.INT32), DType.FP16);
    assertEquals(List.of("Cast", "Cast"), simplified(sketch.results(whole)));
  }

  @Test
  void aCastToAnotherHalfIsKept() {
    Tensor half = sketch.input(DType.BF16, 4);
    Tensor other = sketch.ops.cast(sketch.ops.cast(half, DType.FP32), DType.FP16);
    assertEquals(List.of("Cast", "Cast"), simplified(sketch.results(other)));
  }

  @Test
  void oneParameterIsCastOnce() {
    TensorSpec spec = TensorSpec.of(DType.FP32, 2, 2);
    Tensor weight = sketch.variable(Sketch.parameter("weight"), spec, 1, 2, 3, 4);
    Tensor x = sketch.input(DType.BF16, 2, 2);
    Tensor first = sketch.ops.matMul(x, sketch.ops.cast(weight, DType.BF16));
    Tensor second = sketch.ops.dense(x, sketch.ops.cast(weight, DType.BF16));
    Program program = sketch.results(first, second);
    assertEquals(List.of("Cast", "MatMul", "Cast", "Dense"), Sketch.labels(program));
    assertEquals(List.of("Cast", "MatMul", "Dense"), simplified(program));
  }

  @Test
  void copiesOfCopiesAreSharedToo() {
    Tensor x = sketch.input(DType.FP32, 4);
    Tensor one = sketch.ops.add(sketch.ops.relu(x), x);
    Tensor two = sketch.ops.add(sketch.ops.relu(x), x);
    Program program = Fusion.simplify(sketch.results(one, two));
    assertEquals(List.of("Relu", "Add"), Sketch.labels(program));
    assertEquals(program.outcome().results().getFirst(), program.outcome().results().getLast());
  }

  @Test
  void randomOpsAreSharedOnlyUnderOneKey() {
    Tensor x = sketch.input(DType.FP32, 4);
    Tensor samples = sketch.input(DType.INT64, 4);
    RandomKey key = new RandomKey(1, sketch.ops.at(), 0);
    RandomKey other = new RandomKey(1, sketch.ops.at(), 1);
    Tensor a = sketch.ops.run(new Dropout(0.5, key), x, samples);
    Tensor b = sketch.ops.run(new Dropout(0.5, other), x, samples);
    Tensor c = sketch.ops.run(new Dropout(0.5, key), x, samples);
    assertEquals(List.of("Dropout", "Dropout"), simplified(sketch.results(a, b, c)));
  }

  @Test
  void whatNothingDependsOnIsLeftOut() {
    Tensor x = sketch.input(DType.FP32, 4);
    Program program = sketch.results(sketch.ops.relu(x));
    Program more =
        program
            .adding(List.of(program.spec(0)))
            .with(
                List.of(
                    program.tasks().getFirst(),
                    new Task(
                        program.tasks().getFirst().work(),
                        List.of(1),
                        List.of(2),
                        sketch.ops.at())));
    assertEquals(program.tasks(), new DropDead().apply(more).tasks());
    assertSame(program, new DropDead().apply(program));
  }

  @Test
  void whatOnlyAViewIsReadOfStays() {
    Tensor y = sketch.ops.relu(sketch.input(DType.FP32, 4));
    Program shared = Fusion.shareStorage(sketch.results(sketch.ops.reshape(y, Shape.of(2, 2))));
    assertEquals(List.of("Relu"), Sketch.labels(new DropDead().apply(shared)));
  }

  @Test
  void whatOverwritesVariablesStaysThoughNobodyReadsIt() {
    Program program = sketch.results(sketch.ops.relu(sketch.input(DType.FP32)));
    UpdateAll all = new UpdateAll(List.of(new UpdateAll.Target(new SgdRule(0))), Optional.empty());
    Task update = new Task(all, List.of(0, 0, 0, 0, 0), List.of(2, 3), sketch.ops.at());
    Task unread = new Task(program.tasks().getFirst().work(), List.of(0), List.of(4), update.at());
    Program more =
        program
            .adding(List.of(program.spec(0), program.spec(0), program.spec(0)))
            .with(List.of(program.tasks().getFirst(), unread, update));
    assertEquals(List.of("Relu", "UpdateAll"), Sketch.labels(new DropDead().apply(more)));
  }

  @Test
  void reshapesBecomeViewsOfOneStorage() {
    Tensor x = sketch.input(DType.FP32, 2, 3, 2);
    Tensor y = sketch.ops.relu(x);
    Tensor flat = sketch.ops.reshape(y, Shape.of(2, 6));
    Tensor flatter = sketch.ops.reshape(flat, Shape.of(12));
    Program program = sketch.results(sketch.ops.relu(flatter), flat);
    Program shared = Fusion.shareStorage(program);
    assertEquals(List.of("Relu", "Relu"), Sketch.labels(shared));
    assertEquals(Map.of(2, 1, 3, 1), shared.views());
    Program kept = new ShareStorage((from, _) -> from.rank() < 3).apply(program);
    assertEquals(List.of("Relu", "Reshape", "Relu"), Sketch.labels(kept));
    assertEquals(Map.of(3, 2), kept.views());
  }
}
