package dev.halfcell.train.diagnosis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Direction;
import dev.halfcell.op.Op;
import dev.halfcell.op.elementwise.Add;
import dev.halfcell.op.elementwise.CurveGradient;
import dev.halfcell.op.elementwise.Div;
import dev.halfcell.op.elementwise.Exp;
import dev.halfcell.op.elementwise.Log;
import dev.halfcell.op.elementwise.Maximum;
import dev.halfcell.op.elementwise.Mul;
import dev.halfcell.op.elementwise.Pow;
import dev.halfcell.op.elementwise.Rsqrt;
import dev.halfcell.op.elementwise.SlopedGradient;
import dev.halfcell.op.precision.Cast;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.NonFiniteException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TrapTest {
  private static final double INF = Double.POSITIVE_INFINITY;
  private static final Set<Trap> NONE = EnumSet.noneOf(Trap.class);
  private static final CellPath AT = new CellPath("/cell");

  private final TensorScope scope = TensorScope.open();

  @AfterEach
  void close() {
    scope.close();
  }

  /** An op, its inputs of one element each (the last may have two), and what it raises. */
  static Stream<Arguments> cases() {
    return Stream.of(
        raises(Set.of(Trap.OFLO), new Mul(), 300, 300),
        raises(Set.of(Trap.OFLO), new Exp(), 100),
        raises(Set.of(Trap.OFLO), new Div(), 60000, 0.01),
        raises(NONE, new Mul(), INF, 2),
        raises(NONE, new Add(), 1, 2),
        raises(Set.of(Trap.INV), new Add(), INF, -INF),
        raises(Set.of(Trap.INV), new Div(), 0, 0),
        raises(Set.of(Trap.INV), new Log(), -1),
        raises(NONE, new Add(), Double.NaN, 1),
        raises(NONE, new Add(), Double.NaN, INF),
        raises(Set.of(Trap.DIV0), new Div(), 1, 0),
        raises(NONE, new Div(), INF, 0),
        raises(Set.of(Trap.DIV0), new Log(), 0),
        raises(Set.of(Trap.DIV0), new Rsqrt(), 0),
        raises(Set.of(Trap.DIV0), new Pow(-1), 0),
        raises(Set.of(Trap.OFLO), new Pow(-4), 0.01),
        raises(Set.of(Trap.OFLO), new Pow(4), 300),
        raises(Set.of(Trap.DIV0), new SlopedGradient(new Div(), 0), 1, 1, 0),
        raises(NONE, new SlopedGradient(new Maximum(), 0), 1, 1, 0),
        raises(Set.of(Trap.DIV0), new CurveGradient(new Log()), 1, 0),
        raises(Set.of(Trap.DIV0), new CurveGradient(new Pow(0.5)), 1, 0),
        raises(NONE, new CurveGradient(new Pow(2)), 1, 0));
  }

  private static Arguments raises(Set<Trap> expected, Op op, double... in) {
    return Arguments.of(expected, op, in);
  }

  private List<Tensor> halves(double... values) {
    return Arrays.stream(values)
        .mapToObj(value -> Tensor.of(scope, TensorSpec.of(DType.FP16, 1), value))
        .toList();
  }

  @ParameterizedTest(name = "{1} of {2} raises {0}")
  @MethodSource("cases")
  void anOpRaisesWhatItsValuesSay(Set<Trap> expected, Op op, double... values) {
    List<Tensor> in = halves(values);
    List<Tensor> out = new ReferenceBackend().eager(scope).execute(op, in, AT);
    assertEquals(expected, Trap.raised(op, in, out));
  }

  @Test
  void aCastThatOverflowsIsStoppedAtTheCellThatAsksForIt() {
    TrappingExecutor executor =
        new TrappingExecutor(Set.of(Trap.OFLO), new ReferenceBackend().eager(scope));
    Tensor large = Tensor.of(scope, TensorSpec.of(DType.FP32, 2), 65520, 1);
    NonFiniteException e =
        assertThrows(
            NonFiniteException.class,
            () ->
                executor.in(Direction.BACKWARD).execute(new Cast(DType.FP16), List.of(large), AT));
    assertEquals("OFLO", e.problem().subject());
    assertEquals("Cast at /cell, backward", e.problem().where());
    assertTrue(e.problem().got().contains("50.0 % not finite"), e.problem()::got);
  }

  @Test
  void whatIsNotWatchedPasses() {
    TrappingExecutor executor =
        new TrappingExecutor(Set.of(Trap.INV, Trap.DIV0), new ReferenceBackend().eager(scope));
    Tensor out = executor.execute(new Mul(), halves(300, 300), AT).getFirst();
    assertEquals(INF, out.item());
  }
}
