package dev.halfcell.plan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.backend.Variable;
import dev.halfcell.op.normalization.RunningAverage;
import dev.halfcell.op.precision.GradientCheck;
import dev.halfcell.op.precision.Unscale;
import dev.halfcell.op.update.ClipByNorm;
import dev.halfcell.op.update.ClipByValue;
import dev.halfcell.op.update.MomentumRule;
import dev.halfcell.op.update.SgdRule;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class FuseUpdateTest {
  private static final TensorSpec PAIR = TensorSpec.of(DType.FP32, 2);
  private static final Variable A = Sketch.parameter("a");
  private static final Variable B = Sketch.parameter("b");
  private static final Variable VELOCITY = new Variable(Variable.Kind.SLOT, A.path().child("v"));

  private final Sketch sketch = new Sketch();
  private final Tensor loss = sketch.input(DType.FP32);
  private final Tensor scale = sketch.input(DType.FP32);
  private final Tensor rate = sketch.input(DType.FP32);
  private final Tensor a = sketch.variable(A, PAIR, 1, 2);
  private final Tensor velocity = sketch.variable(VELOCITY, PAIR, 0.5, 0);
  private final Tensor b = sketch.variable(B, PAIR, 3, 4);
  private final Tensor byA = sketch.ops.run(new Unscale(), sketch.input(DType.FP32, 2), scale);
  private final Tensor byB = sketch.ops.run(new Unscale(), sketch.input(DType.FP32, 2), scale);
  private final List<Tensor> check = sketch.ops.runAll(new GradientCheck(), loss, byA, byB);
  private final List<Tensor> movedA =
      sketch.ops.runAll(new MomentumRule(0.9, false, 0), a, velocity, byA, rate);
  private final Tensor movedB = sketch.ops.run(new SgdRule(0.1), b, byB, rate);

  @AfterEach
  void close() {
    sketch.close();
  }

  private Map<Variable, Tensor> assigns() {
    return new HashMap<>(Map.of(A, movedA.getFirst(), VELOCITY, movedA.getLast(), B, movedB));
  }

  private Program program(List<Tensor> results) {
    return sketch.program(results, check.getFirst(), assigns());
  }

  private static void assertStays(Program program) {
    assertEquals(program.tasks(), new FuseUpdate().apply(program).tasks());
  }

  @Test
  void checkUnscalingRulesAndAssignmentsAreOneTask() {
    Program fused = new FuseUpdate().apply(program(check));
    assertEquals(List.of("UpdateAll"), Sketch.labels(fused));
    assertEquals(Map.of(), fused.outcome().assigns());
    UpdateAll work = (UpdateAll) fused.tasks().getFirst().work();
    assertEquals(
        List.of(
            new UpdateAll.Target(new MomentumRule(0.9, false, 0)),
            new UpdateAll.Target(new SgdRule(0.1))),
        work.targets());
    assertEquals(List.of(3, 4, 7), work.overwrites());
  }

  private void step(Program program, double gradient) {
    Tensor one = Tensor.scalar(sketch.scope, DType.FP32, 1);
    Tensor two = Tensor.scalar(sketch.scope, DType.FP32, 2);
    Tensor by = Tensor.of(sketch.scope, PAIR, 2, gradient);
    sketch.run(program, one, two, one, by, by);
  }

  @Test
  void aFiniteStepMovesAllInPlace() {
    step(new FuseUpdate().apply(program(check)), -4);
    assertArrayEquals(new double[] {(float) (0.9 * 0.5 + 1), -2}, sketch.values(VELOCITY));
    assertArrayEquals(new double[] {(float) (1 - (double) (float) 1.45), 4}, sketch.values(A));
    assertArrayEquals(new double[] {(float) 1.7, (float) 5.6}, sketch.values(B));
  }

  @Test
  void aStepThatIsNotFiniteMovesNothing() {
    step(new FuseUpdate().apply(program(check)), Double.POSITIVE_INFINITY);
    assertArrayEquals(new double[] {0.5, 0}, sketch.values(VELOCITY));
    assertArrayEquals(new double[] {1, 2}, sketch.values(A));
    assertArrayEquals(new double[] {3, 4}, sketch.values(B));
  }

  /** As a teacher's that follows a parameter: it follows what that was before the step. */
  @Test
  void averagesOfWhatIsUpdatedInPlaceAreNotGatheredBehindThat() {
    Variable teacher = new Variable(Variable.Kind.SLOT, A.path().child("teacher"));
    RunningAverage rule = new RunningAverage(0.5, 1);
    Tensor follows = sketch.ops.run(rule, sketch.variable(teacher, PAIR, 0, 0), a);
    Variable mean = new Variable(Variable.Kind.SLOT, A.path().child("mean"));
    Tensor other =
        sketch.ops.run(rule, sketch.variable(mean, PAIR, 0, 0), sketch.input(DType.FP32, 2));
    Program fused = new FuseUpdate().apply(program(List.of(check.getFirst(), follows, other)));
    assertEquals(1, Sketch.labels(fused).stream().filter("UpdateAll"::equals).count());
    Program gathered = new GatherAlike().apply(fused);
    Tensor one = Tensor.scalar(sketch.scope, DType.FP32, 1);
    Tensor two = Tensor.scalar(sketch.scope, DType.FP32, 2);
    Tensor by = Tensor.of(sketch.scope, PAIR, 2, -4);
    List<Tensor> results = sketch.run(gathered, one, two, one, by, by, by);
    assertArrayEquals(new double[] {0.5, 1}, results.get(1).toArray());
    assertArrayEquals(new double[] {1, -2}, results.get(2).toArray());
    assertEquals("RunningAverage", Sketch.labels(gathered).getFirst());
  }

  private Program clipped(Tensor boundA, Tensor boundB) {
    List<Tensor> moved =
        sketch.ops.runAll(new MomentumRule(0.9, false, 0), a, velocity, boundA, rate);
    Map<Variable, Tensor> assigns =
        Map.of(
            A,
            moved.getFirst(),
            VELOCITY,
            moved.getLast(),
            B,
            sketch.ops.run(new SgdRule(0.1), b, boundB, rate));
    return sketch.program(check, check.getFirst(), assigns);
  }

  @Test
  void gradientsClippedByTheNormOfTheCheckAreClippedInTheSameTask() {
    ClipByNorm clip = new ClipByNorm(0.5);
    Tensor norm = check.getLast();
    Program program = clipped(sketch.ops.run(clip, byA, norm), sketch.ops.run(clip, byB, norm));
    Program fused = new FuseUpdate().apply(program);
    assertEquals(List.of("UpdateAll"), Sketch.labels(fused));
    assertEquals(Optional.of(clip), ((UpdateAll) fused.tasks().getFirst().work()).clip());
  }

  @Test
  void gradientsClippedInDifferentWaysForbidIt() {
    assertStays(
        clipped(sketch.ops.run(new ClipByValue(1), byA), sketch.ops.run(new ClipByValue(2), byB)));
    ClipByNorm clip = new ClipByNorm(0.5);
    assertStays(clipped(sketch.ops.run(clip, byA, loss), sketch.ops.run(clip, byB, loss)));
  }

  @Test
  void otherWorkComesBeforeAndWhatFollowsFromTheCheckBehind() {
    Tensor early = sketch.ops.relu(a);
    Tensor late = sketch.ops.relu(check.getLast());
    Program fused = new FuseUpdate().apply(program(List.of(loss, late, early)));
    assertEquals(List.of("Relu", "UpdateAll", "Relu"), Sketch.labels(fused));
    assertEquals(fused.outcome().results().getLast(), fused.tasks().getFirst().out(0));
  }

  private Tensor norm() {
    return sketch.ops.cast(check.getLast(), DType.FP32);
  }

  @Test
  void aParameterThatIsReadBehindTheCheckForbidsIt() {
    assertStays(program(List.of(loss, sketch.ops.add(a, norm()))));
  }

  @Test
  void aReshapedParameterThatIsReadBehindTheCheckForbidsIt() {
    Tensor reshaped = sketch.ops.reshape(a, Shape.of(2, 1));
    assertStays(program(List.of(loss, sketch.ops.add(reshaped, norm()))));
    assertStays(program(List.of(loss, reshaped)));
  }

  @Test
  void anOldOrNewValueAmongTheResultsForbidsIt() {
    assertStays(program(List.of(loss, a)));
    assertStays(program(List.of(loss, movedB)));
    assertStays(program(List.of(loss, byA)));
    assertStays(program(List.of(loss, sketch.ops.relu(movedB))));
  }

  @Test
  void aGradientThatIsReadElsewhereForbidsIt() {
    assertStays(program(List.of(loss, sketch.ops.relu(byB))));
  }

  @Test
  void anotherDecisionForbidsIt() {
    Tensor flag = sketch.input(DType.BOOL);
    assertStays(sketch.program(check, flag, assigns()));
  }

  @Test
  void aParameterThatIsAssignedToAnotherForbidsIt() {
    Map<Variable, Tensor> crossed = assigns();
    crossed.put(A, movedB);
    crossed.put(B, movedA.getFirst());
    assertStays(sketch.program(check, check.getFirst(), crossed));
  }

  @Test
  void twoScalesForbidIt() {
    Tensor other = sketch.ops.run(new Unscale(), sketch.input(DType.FP32, 2), rate);
    List<Tensor> both = sketch.ops.runAll(new GradientCheck(), loss, byA, other);
    Map<Variable, Tensor> assigns = assigns();
    assigns.put(B, sketch.ops.run(new SgdRule(0), b, other, rate));
    assertStays(sketch.program(both, both.getFirst(), assigns));
  }
}
