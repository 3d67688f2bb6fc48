package dev.halfcell.plan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.op.normalization.RunningAverage;
import dev.halfcell.op.precision.Cast;
import dev.halfcell.op.precision.CastOverflow;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GatherAlikeTest {
  private static final TensorSpec PAIR = TensorSpec.of(DType.FP32, 2);

  private final Sketch sketch = new Sketch();

  @AfterEach
  void close() {
    sketch.close();
  }

  private Tensor parameter(String name, double... values) {
    return sketch.variable(Sketch.parameter(name), PAIR, values);
  }

  private Tensor half(Tensor x) {
    return sketch.ops.run(new Cast(DType.FP16, CastOverflow.INF), x);
  }

  private static void assertStays(Program program) {
    assertEquals(program.tasks(), new GatherAlike().apply(program).tasks());
  }

  @Test
  void castsOfParametersComeFirstInOneTaskAndRunningAveragesLast() {
    Tensor x = sketch.input(DType.FP32, 2);
    Tensor first = sketch.ops.relu(half(parameter("a", 1, -2)));
    Tensor averageA =
        sketch.ops.run(new RunningAverage(0.9, 1), parameter("mean", 1, 2), sketch.ops.relu(x));
    Tensor averageB = sketch.ops.run(new RunningAverage(0.5, 2), parameter("variance", 4, 8), x);
    Tensor second = sketch.ops.add(first, half(parameter("b", 3, 4)));
    Program program = sketch.results(second, averageA, averageB);
    Program gathered = new GatherAlike().apply(program);
    assertEquals(List.of("Cast", "Relu", "Relu", "Add", "RunningAverage"), Sketch.labels(gathered));
    assertEquals(
        List.of(new RunningAverage(0.9, 1), new RunningAverage(0.5, 2)),
        ((Work.Together) gathered.tasks().getLast().work()).each());
    Tensor one = Tensor.of(sketch.scope, PAIR, -1, 3);
    List<Tensor> expected = sketch.run(program, one);
    List<Tensor> got = sketch.run(gathered, one);
    for (int i = 0; i < 3; i++) {
      assertArrayEquals(expected.get(i).toArray(), got.get(i).toArray());
    }
  }

  @Test
  void castsThatDifferStayApart() {
    Cast saturating = new Cast(DType.FP16, CastOverflow.SATURATE);
    Tensor a = parameter("a", 1, -2);
    assertStays(sketch.results(half(a), sketch.ops.run(saturating, parameter("b", 3, 4))));
  }

  @Test
  void castsOfWhatIsComputedStay() {
    Tensor x = sketch.input(DType.FP32, 2);
    assertStays(sketch.results(half(x), half(sketch.ops.relu(x))));
  }

  @Test
  void averagesThatAreReadStay() {
    Tensor x = sketch.input(DType.FP32, 2);
    Tensor average = sketch.ops.run(new RunningAverage(0.9, 1), parameter("mean", 1, 2), x);
    Tensor other = sketch.ops.run(new RunningAverage(0.9, 1), parameter("other", 1, 2), average);
    assertStays(sketch.results(other));
  }
}
