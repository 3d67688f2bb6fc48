package dev.halfcell.amp.diagnosis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.Amp;
import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.backend.Variable;
import dev.halfcell.data.Batch;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.Forward;
import dev.halfcell.nn.ReLU;
import dev.halfcell.nn.Sequential;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.PrecisionClass;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.optim.Sgd;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.Execution;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnderflowTest {
  private static final double FAINT = 0x1p-24;

  private final TensorScope scope = TensorScope.open();

  @AfterEach
  void close() {
    scope.close();
  }

  /**
   * A loss whose gradients are all below 2^-24; a learning rate of 2^24 times another's fits it.
   */
  private static final class FaintLoss extends Cell {
    private final Cell loss = child("loss", new SoftmaxCrossEntropyLoss());

    @Override
    public PrecisionClass precision() {
      return PrecisionClass.FULL;
    }

    @Override
    protected Tensor construct(Forward f, Tensor... in) {
      return f.ops().affine(f.call(loss, in), FAINT, 0);
    }
  }

  private static TrainStepCell train(Level level, LossScale scale) {
    return Amp.buildTrainNetwork(
        new Sequential(new Dense(8, 16), new ReLU(), new Dense(16, 4)),
        new FaintLoss(),
        new Sgd(0.5 / FAINT),
        level,
        AmpOptions.defaults()
            .backend(new ReferenceBackend())
            .execution(new Execution.Planned(PlanOptions.PLAIN))
            .lossScale(scale));
  }

  /** The quarter that the label names is larger than the others. */
  private Batch batch(int number) {
    Batch squares = Squares.batch(scope, number, 16);
    double[] x = squares.inputs().getFirst().toArray();
    for (int i = 0; i < x.length; i++) {
      x[i] -= 300;
    }
    Tensor moved = Tensor.of(scope, squares.inputs().getFirst().spec(), x);
    return new Batch(List.of(moved, squares.inputs().getLast()), squares.samples());
  }

  private double lossAfter(TrainStepCell train, int steps) {
    double loss = Double.NaN;
    for (int i = 0; i < steps; i++) {
      loss = train.run(batch(i)).loss() / FAINT;
    }
    return loss;
  }

  /** At its own start, 1, LogMax sees zeros alone, and doubles until it sees more. */
  @Test
  void gradientsThatUnderflowUnscaledDoNotTrainFp16AndTheReportSaysWhy() {
    try (TrainStepCell full = train(Level.O0, LossScale.none());
        TrainStepCell unscaled = train(Level.O2, LossScale.none());
        TrainStepCell dynamic = train(Level.O2, LossScale.dynamic());
        TrainStepCell logMax = train(Level.O2, LossScale.logMax())) {
      UnderflowReport before = unscaled.underflow(batch(0));
      Exponents half = before.passedInHalf();
      assertEquals(1, before.scale());
      assertTrue(half.largest() < 0x1p-25, "all below: " + half.largest());
      assertEquals(half.nonZero(), half.flushed(DType.FP16, 1), "all is lost at scale 1");
      double best = before.bestScale().orElseThrow();
      assertTrue(half.flushed(DType.FP16, best) < half.nonZero() / 100, before::text);
      assertFalse(half.overflows(DType.FP16, best));

      Map<Variable, Tensor> start = unscaled.state().snapshot(scope);
      lossAfter(unscaled, 30);
      Variable weight = new Variable(Variable.Kind.PARAMETER, new CellPath("/0/weight"));
      assertTrue(
          unscaled.state().read(weight).sameBits(Objects.requireNonNull(start.get(weight))),
          "unscaled nothing moves");
      double exact = lossAfter(full, 60);
      assertTrue(exact < 0.3, "O0 learns: " + exact);
      assertEquals(exact, lossAfter(dynamic, 60), 0.02);
      assertEquals(exact, lossAfter(logMax, 60), 0.02);
      assertTrue(dynamic.underflow(batch(0)).text().contains("at scale 2^16"), "the present scale");
    }
  }

  @Test
  void theReportMovesNothingAndNamesCellsAndParameters() {
    try (TrainStepCell train = train(Level.O2, LossScale.none())) {
      Map<Variable, Tensor> before = train.state().snapshot(scope);
      UnderflowReport report = train.underflow(batch(0));
      train
          .state()
          .values()
          .forEach(
              (v, t) -> assertTrue(t.sameBits(Objects.requireNonNull(before.get(v))), v::toString));
      List<String> rows =
          report.rows().stream()
              .map(row -> row.path() + (row.parameter() ? "" : row.inHalf() ? " half" : " fp32"))
              .toList();
      assertEquals(
          List.of(
              "/0 half",
              "/1 half",
              "/2 half",
              "/loss_fn/loss fp32",
              "/loss_fn fp32",
              "/0/weight",
              "/0/bias",
              "/2/weight",
              "/2/bias"),
          rows);
      assertEquals(16 * 16, report.rows().getFirst().exponents().elements());
      assertEquals(8 * 16, report.rows().get(5).exponents().elements());
      assertTrue(report.text().startsWith("gradients of one batch in fp32 arithmetic, as fp16"));
    }
  }

  @Test
  void whereNothingIsInHalfNothingCanUnderflow() {
    try (TrainStepCell train = train(Level.O0, LossScale.none())) {
      UnderflowReport report = train.underflow(batch(0));
      assertEquals(OptionalDouble.empty(), report.bestScale());
      assertTrue(report.text().endsWith("nothing can underflow\n"), report::text);
      assertTrue(report.json().contains("\"best_scale\":null"), report::json);
    }
  }

  private Exponents exponents(double... values) {
    Exponents exponents = new Exponents();
    exponents.add(Tensor.of(scope, TensorSpec.of(DType.FP32, values.length), values));
    return exponents;
  }

  /** The same counts by rounding each number. */
  @ParameterizedTest
  @CsvSource({"FP16, 1", "FP16, 0x1p10", "FP16, 0x1p-3", "BF16, 1", "BF16, 0x1p-8"})
  void countsWhatRoundingEachNumberFlushesOrMakesSubnormal(DType half, double scale) {
    double[] values = new double[200];
    int flushed = 0;
    int subnormal = 0;
    for (int i = 0; i < values.length; i++) {
      int lowest = half == DType.FP16 ? -40 : -148;
      values[i] = (i % 2 == 0 ? 1.25 : -1.75) * Math.scalb(1.0, lowest + i % 40);
      double rounded = half.round((float) values[i] * scale);
      flushed += rounded == 0 ? 1 : 0;
      subnormal += rounded != 0 && Math.abs(rounded) < half.smallestNormal() ? 1 : 0;
    }
    Exponents exponents = exponents(values);
    assertTrue(flushed > 0 || scale > 1 || half == DType.BF16, "a test that can fail");
    assertEquals(flushed, exponents.flushed(half, scale));
    assertEquals(subnormal, exponents.subnormal(half, scale));
  }

  @Test
  void zerosAndWhatIsNotFiniteAreCountedApart() {
    Exponents exponents = exponents(0, -0.0, 3, -5, Double.NaN, Double.NEGATIVE_INFINITY);
    assertEquals(6, exponents.elements());
    assertEquals(2, exponents.zeros());
    assertEquals(2, exponents.nonFinite());
    assertEquals(2, exponents.nonZero());
    assertEquals(Map.of(1, 1L, 2, 1L), exponents.counts());
    assertEquals(5, exponents.largest());
    assertEquals(0, exponents.flushed(DType.FP16, 1));
  }

  private UnderflowReport report(double... values) {
    return new UnderflowReport(
        DType.FP16,
        1,
        List.of(new UnderflowReport.Row(new CellPath("/a"), false, true, exponents(values))));
  }

  @Test
  void theBestScaleIsTheLeastThatLosesAsLittleAsAnyThatFits() {
    assertEquals(OptionalDouble.of(1), report(1, 2, 3).bestScale());
    assertEquals(OptionalDouble.of(0x1p6), report(0x1p-20).bestScale());
    assertEquals(OptionalDouble.of(0x1p-3), report(400000, 1).bestScale(), "1 overflows");
    assertEquals(
        OptionalDouble.of(0x1p15), report(1, 0x1p-40, 0x1p-29).bestScale(), "no more fits");
    assertEquals(OptionalDouble.empty(), report(0, 0).bestScale());
  }

  @Test
  void theReportAsText() {
    String expected =
        """
        gradients of one batch in fp32 arithmetic, as fp16 holds them at scale 2^0
        path  gradient of      values     zero  flushed  subnormal  range
        /a    half                  4   25.0 %   25.0 %     25.0 %  2^-30 to 2^1
          2^-30           1  ########################################
          2^-20           1  ########################################
            2^1           1  ########################################
        passed on in half: 25.0 % flushed to zero, 25.0 % subnormal
        least is lost at scale 2^14: 0.0 % flushed to zero, 25.0 % subnormal
        """;
    assertEquals(expected, report(0, 0x1p-30, 0x1p-20, 2).text());
  }

  @Test
  void theReportAsJson() {
    assertEquals(
        "{\"half\":\"fp16\",\"scale\":1.0,\"best_scale\":64.0,\"rows\":[{\"path\":\"/a\","
            + "\"parameter\":false,\"in_half\":true,\"elements\":2,\"zeros\":1,\"non_finite\":0,"
            + "\"flushed\":0,\"subnormal\":1,\"exponents\":{\"-20\":1}}]}",
        report(0, 0x1p-20).json());
  }
}
