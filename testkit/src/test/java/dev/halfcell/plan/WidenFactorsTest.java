package dev.halfcell.plan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.op.linear.MatMul;
import dev.halfcell.op.precision.Cast;
import dev.halfcell.op.precision.CastOverflow;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class WidenFactorsTest {
  private static final double[] VALUES = {0.1, -0.2, 70_000, 1e-7, 2, 3};

  private final Sketch sketch = new Sketch();
  private final Tensor variable =
      sketch.variable(Sketch.parameter("weight"), TensorSpec.of(DType.FP32, 3, 2), VALUES);
  private final Tensor weight = sketch.ops.cast(variable, DType.FP16);
  private final Tensor x = sketch.input(DType.FP16, 4, 2);
  private final Tensor d = sketch.input(DType.FP16, 4, 3);

  @AfterEach
  void close() {
    sketch.close();
  }

  private static Program widened(Program program) {
    return new WidenFactors(Set.of(DType.FP16)).apply(program);
  }

  private static DType first(Program program) {
    return program.spec(program.tasks().getFirst().out(0)).dtype();
  }

  private Tensor byWeight() {
    return sketch.ops.run(new MatMul(false, false, false), d, weight);
  }

  private void assertStaysHalf(Program program) {
    assertEquals(Sketch.labels(program), Sketch.labels(widened(program)));
    assertEquals(DType.FP16, first(widened(program)));
  }

  @Test
  void aWeightThatOnlyProductsReadStaysWide() {
    Program program =
        Fusion.fuse(sketch.results(sketch.ops.relu(sketch.ops.dense(x, weight)), byWeight()));
    Program wide = widened(program);
    assertEquals(List.of("Round", "DenseRelu", "MatMul"), Sketch.labels(wide));
    assertEquals(DType.FP32, first(wide));
  }

  @Test
  void itIsRoundedAllTheSame() {
    Program wide = widened(sketch.results(byWeight()));
    int rounded = wide.tasks().getFirst().out(0);
    Program alone = wide.with(wide.tasks().subList(0, 1)).with(wide.outcome().map(_ -> rounded));
    Tensor unused = sketch.scope.allocate(d.spec());
    assertArrayEquals(
        Arrays.stream(VALUES).map(DType.FP16::round).toArray(),
        sketch.run(alone, unused).getFirst().toArray());
  }

  @Test
  void whatProductsComputeInStaysHalf() {
    Program program = sketch.results(byWeight());
    Program same = new WidenFactors(Set.of(DType.BF16)).apply(program);
    assertEquals(List.of("Cast", "MatMul"), Sketch.labels(same));
    assertEquals(DType.FP16, first(same));
  }

  @Test
  void whatAnotherOpReadsStaysHalf() {
    assertStaysHalf(sketch.results(byWeight(), sketch.ops.relu(weight)));
  }

  @Test
  void whatIsALeftFactorStaysHalf() {
    assertStaysHalf(sketch.results(sketch.ops.run(new MatMul(true, true, false), weight, d)));
    assertStaysHalf(sketch.results(sketch.ops.run(new MatMul(true, false, false), weight, weight)));
  }

  @Test
  void aResultStaysHalf() {
    assertStaysHalf(sketch.results(byWeight(), weight));
  }

  @Test
  void whatIsNoVariableStaysHalf() {
    Tensor half = sketch.ops.cast(sketch.input(DType.FP32, 3, 2), DType.FP16);
    assertStaysHalf(sketch.results(sketch.ops.run(new MatMul(false, false, false), d, half)));
  }

  @Test
  void aCastThatSaturatesStays() {
    Tensor bounded = sketch.ops.run(new Cast(DType.FP16, CastOverflow.SATURATE), variable);
    assertStaysHalf(sketch.results(sketch.ops.run(new MatMul(false, false, false), d, bounded)));
  }

  @Test
  void aWeightIsNoActivation() {
    Tensor y = sketch.ops.cast(sketch.ops.dense(x, weight), DType.FP32);
    Program program = sketch.results(sketch.ops.sum(y, true, 0, 1), byWeight());
    assertEquals(Set.of(), ActivationBytes.kept(program));
    assertEquals(Set.of(), ActivationBytes.kept(widened(program)));
  }
}
