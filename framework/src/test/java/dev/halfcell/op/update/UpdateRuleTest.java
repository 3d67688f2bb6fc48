package dev.halfcell.op.update;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.op.CellPath;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.ShapeException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class UpdateRuleTest {
  private static final double[] START = {1, -2, 0.5};
  private static final double[][] GRADIENTS = {
    {0.1, -0.2, 0.3}, {-0.4, 0.25, 0.05}, {0.2, 0.6, -0.1}
  };

  private final TensorScope scope = TensorScope.open();

  @AfterEach
  void close() {
    scope.close();
  }

  private double[] run(UpdateRule rule, double rate, double[] start, double[]... gradients) {
    TensorSpec spec = TensorSpec.of(DType.FP32, start.length);
    Tensor w = Tensor.of(scope, spec, start);
    List<Tensor> slots = Collections.nCopies(rule.slots().size(), scope.allocate(spec));
    for (int step = 0; step < gradients.length; step++) {
      List<Tensor> in = new ArrayList<>(List.of(w));
      in.addAll(slots);
      in.add(Tensor.of(scope, spec, gradients[step]));
      in.add(Tensor.scalar(scope, DType.FP32, rate));
      if (rule.counted()) {
        in.add(Tensor.scalar(scope, DType.INT64, step));
      }
      List<Tensor> out = new ReferenceBackend().eager(scope).execute(rule, in, CellPath.STEP);
      w = out.getFirst();
      slots = out.subList(1, out.size());
    }
    return w.toArray();
  }

  /** After three steps, computed in float64 by a program of its own (NumPy, papers' formulas). */
  static Stream<Arguments> threeSteps() {
    return Stream.of(
        Arguments.of(
            new MomentumRule(0.9, false, 0.05, true), 0.1, "1.013919625 -2.02361425 0.412196688"),
        Arguments.of(
            new MomentumRule(0.9, true, 0.05, true), 0.1, "1.0209349 -2.0833423 0.395555012"),
        Arguments.of(
            new RmsPropRule(0.9, 1e-8, 0, false, 0.1),
            0.01,
            "0.974254887 -1.996238718 0.464663013"),
        Arguments.of(
            new RmsPropRule(0.9, 1e-8, 0.9, false, 0.1),
            0.01,
            "0.944417551 -1.94618643 0.402882597"),
        Arguments.of(
            new RmsPropRule(0.9, 1e-8, 0, true, 0.1), 0.01, "0.972536592 -1.994757927 0.462538467"),
        Arguments.of(
            new RmsPropRule(0.9, 1e-8, 0.5, true, 0.1),
            0.01,
            "0.961090634 -1.972077538 0.432926063"),
        Arguments.of(
            new AdagradRule(0.1, 1e-10, 0.01), 0.1, "1.005176255 -2.073328047 0.439465827"),
        Arguments.of(
            new LambRule(0.9, 0.999, 1e-6, 0.01), 0.05, "1.011432257 -2.042409878 0.287125681"),
        Arguments.of(new LarsRule(0.02, 0.9, 0.01), 0.5, "1.00949222 -2.005495961 0.450811471"));
  }

  @ParameterizedTest
  @MethodSource("threeSteps")
  void threeStepsLeadWhereThePaperSays(UpdateRule rule, double rate, String expected) {
    double[] want = Stream.of(expected.split(" ")).mapToDouble(Double::parseDouble).toArray();
    assertArrayEquals(want, run(rule, rate, START, GRADIENTS), 1e-6);
  }

  @Test
  void aParameterThatIsZeroMovesUnderTrustRatios() {
    double[] zero = {0, 0};
    double[] gradient = {1, -1};
    LambRule lamb = new LambRule(0.9, 0.999, 1e-6, 0.01);
    assertArrayEquals(new double[] {-0.1, 0.1}, run(lamb, 0.1, zero, gradient), 1e-6);
    LarsRule lars = new LarsRule(0.001, 0.9, 0.01);
    assertArrayEquals(new double[] {-0.1, 0.1}, run(lars, 0.1, zero, gradient), 1e-7);
    assertArrayEquals(new double[] {0.9, 0.9}, run(lamb, 0.1, new double[] {1, 1}, zero), 1e-6);
  }

  @Test
  void aMeanOfSquaresBelowTheSquareOfTheMeanIsRoundingAndNoNaN() {
    RmsPropRule rule = new RmsPropRule(0.5, 1e-4, 0, true, 0);
    double[][] same = Collections.nCopies(60, new double[] {0.1}).toArray(double[][]::new);
    assertTrue(Double.isFinite(run(rule, 1e-6, new double[] {1}, same)[0]));
  }

  private static void assertRefused(String subject, String got, Executable made) {
    ArgumentException e = assertThrows(ArgumentException.class, made);
    assertEquals(subject, e.problem().subject());
    assertEquals(got, e.problem().got());
  }

  @Test
  void hyperParametersThatMakeNoSenseAreRefusedByName() {
    assertRefused("momentum", "1.5", () -> new MomentumRule(1.5, false, 0));
    assertRefused("momentum", "-0.1", () -> new LarsRule(0.001, -0.1, 0));
    assertRefused("momentum", "NaN", () -> new RmsPropRule(0.9, 1e-8, Double.NaN, false, 0));
    assertRefused("beta1", "1.0", () -> new AdamRule(1, 0.999, 1e-8, 0, true));
    assertRefused("beta2", "1.0", () -> new LambRule(0.9, 1, 1e-8, 0));
    assertRefused("epsilon", "0.0", () -> new AdamRule(0.9, 0.999, 0, 0, false));
    assertRefused("epsilon", "1.0E-60", () -> new AdagradRule(0.1, 1e-60, 0));
    assertRefused("epsilon", "Infinity", () -> new LambRule(0.9, 0.9, Double.POSITIVE_INFINITY, 0));
    assertRefused("weight decay", "NaN", () -> new SgdRule(Double.NaN));
    assertRefused("weight decay", "-1.0", () -> new LarsRule(0.001, 0.9, -1));
    assertRefused("smoothing", "1.0", () -> new RmsPropRule(1, 1e-8, 0, false, 0));
    assertRefused("trust coefficient", "0.0", () -> new LarsRule(0, 0.9, 0));
    assertRefused("initial accumulator", "-1.0", () -> new AdagradRule(-1, 1e-8, 0));
  }

  @Test
  void theGradientHasTheParametersShape() {
    assertThrows(
        ShapeException.class,
        () ->
            new SgdRule(0)
                .infer(
                    List.of(
                        TensorSpec.of(DType.FP32, 2),
                        TensorSpec.of(DType.FP32, 3),
                        new TensorSpec(DType.FP32, Shape.SCALAR)),
                    CellPath.STEP));
  }
}
