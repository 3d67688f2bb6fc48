package dev.halfcell.amp.precision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.LayerNorm;
import dev.halfcell.nn.MSELoss;
import dev.halfcell.nn.PrecisionFlag;
import dev.halfcell.nn.ReLU;
import dev.halfcell.nn.Sequential;
import dev.halfcell.nn.Softmax;
import dev.halfcell.nn.WithLossCell;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.linear.Linear;
import dev.halfcell.op.linear.MatMul;
import dev.halfcell.op.loss.MeanSquaredError;
import dev.halfcell.op.normalization.RunningAverage;
import dev.halfcell.op.precision.Cast;
import dev.halfcell.op.reduction.Sum;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A user's own lists: what they mean, and what goes before what. */
final class PrecisionListsTest {
  private static final PrecisionOptions DEFAULTS = PrecisionOptions.defaults();

  private static PrecisionPlan plan(Cell net, Level level, UnaryOperator<PrecisionLists> lists) {
    return PrecisionPlan.of(net, level, DEFAULTS.lists(lists));
  }

  private static Treatment treatment(PrecisionPlan plan, String path) {
    return plan.treatment(new CellPath(path));
  }

  private static String reason(PrecisionPlan plan, String path) {
    return Seen.decision(plan, path).because().text();
  }

  /** dense 4-4, layer norm, block (dense, layer norm), softmax. */
  private static Sequential net() {
    return new Sequential(
        new Dense(4, 4),
        new LayerNorm(4),
        new Sequential(new Dense(4, 4), new LayerNorm(4)),
        new Softmax());
  }

  @Test
  void aDeniedCellIsFp32AndRoundsItsOutputOnceInHalfSurroundings() {
    PrecisionPlan plan = plan(net(), Level.O2, lists -> lists.deny("/0"));
    assertEquals(Treatment.FULL_THEN_HALF, treatment(plan, "/0"));
    assertEquals("deny list: /0", reason(plan, "/0"));
    assertEquals(Treatment.HALF, treatment(plan, "/2/0"));
  }

  @Test
  void aDeniedCellHoldsForAllBelowIt() {
    PrecisionPlan plan = plan(net(), Level.O3, lists -> lists.deny("/2"));
    assertEquals(Treatment.FULL_THEN_HALF, treatment(plan, "/2"));
    assertEquals(Treatment.FULL, treatment(plan, "/2/0"));
    assertEquals(Treatment.FULL, treatment(plan, "/2/1"));
    assertEquals("deny list: /2", reason(plan, "/2/1"));
  }

  @Test
  void anAllowedCellIsHalfWithAllBelowItButWhatNeedsFp32() {
    for (Level level : List.of(Level.O0, Level.O1, Level.AUTO)) {
      PrecisionPlan plan = plan(net(), level, lists -> lists.allow("/2"));
      assertEquals(Treatment.HALF, treatment(plan, "/2"), level.label());
      assertEquals(Treatment.HALF, treatment(plan, "/2/0"), level.label());
      assertEquals("allow list: /2", reason(plan, "/2/0"));
      assertEquals(Treatment.FULL_THEN_HALF, treatment(plan, "/2/1"), level.label());
    }
    PrecisionPlan o0 = plan(net(), Level.O0, lists -> lists.allow("/2"));
    assertEquals(Treatment.FULL, treatment(o0, "/1"), "elsewhere nothing is half");
    assertEquals("level O0", reason(o0, "/1"));
  }

  @Test
  void anOwnListGoesBeforeTheDefaultOfTheClass() {
    PrecisionPlan plan = plan(net(), Level.O2, lists -> lists.allow(LayerNorm.class));
    assertEquals(Treatment.HALF_THROUGHOUT, treatment(plan, "/1"));
    PrecisionPlan o1 = plan(net(), Level.O1, lists -> lists.deny(Dense.class));
    assertEquals(Treatment.FULL, treatment(o1, "/0"));
    assertEquals("deny list: Dense", reason(o1, "/0"));
  }

  @Test
  void denyGoesBeforeAllowAndAllowBeforePromote() {
    PrecisionPlan plan =
        plan(net(), Level.O1, lists -> lists.promote("/**").allow(Dense.class).deny("/2/*"));
    assertEquals(Treatment.HALF, treatment(plan, "/0"));
    assertEquals(Treatment.FULL, treatment(plan, "/2/0"));
    assertEquals(Treatment.WIDEST, treatment(plan, "/1"));
    assertEquals("promote list: /**", reason(plan, "/1"));
  }

  /** An entry means all below it: the stronger list counts, on whichever of the cells it stands. */
  @Test
  void theStrongerListCountsWhetherItNamesTheCellOrOneAroundIt() {
    PrecisionPlan plan =
        plan(net(), Level.O2, lists -> lists.deny("/2").allow("/2/0").promote("/1"));
    assertEquals(Treatment.FULL, treatment(plan, "/2/0"));
    PrecisionPlan weaker =
        plan(net(), Level.O1, lists -> lists.allow("/2").promote(Dense.class, LayerNorm.class));
    assertEquals(Treatment.HALF, treatment(weaker, "/2/0"));
    assertEquals(Treatment.WIDEST, treatment(weaker, "/0"));
    assertEquals(Treatment.FULL_THEN_HALF, treatment(weaker, "/2/1"), "what needs FP32");
  }

  @Test
  void aFlagInHalfLetsADeniedOpBeFp32AndNothingElse() {
    Cell net = new Seen.Squares().toFloat(DType.FP16);
    assertEquals(
        List.of(DType.FP32), Seen.by(plan(net, Level.O0, lists -> lists.deny("Mul")), net, "Mul"));
    assertEquals(
        List.of(DType.FP16),
        Seen.by(plan(net, Level.O0, lists -> lists.promote("Mul")), net, "Mul"));
    Cell full = new Seen.Squares().toFloat(DType.FP32);
    assertEquals(
        List.of(DType.FP32),
        Seen.by(plan(full, Level.O3, lists -> lists.allow("Mul")), full, "Mul"));
  }

  @Test
  void flagsAndPartsGoBeforeLists() {
    Sequential net = net();
    net.children().values().iterator().next().addFlagsRecursive(PrecisionFlag.FP16);
    PrecisionOptions options = DEFAULTS.part("2", DType.BF16).lists(l -> l.deny("/**"));
    PrecisionPlan plan = PrecisionPlan.of(net, Level.O2, options);
    assertEquals("fp16 asked for by flag", reason(plan, "/0"));
    assertEquals("bf16 asked for by part /2", reason(plan, "/2/0"));
    assertEquals(DType.BF16, Seen.decision(plan, "/2/0").half());
    assertEquals(Treatment.FULL, treatment(plan, "/3"));
  }

  @Test
  void subclassesOfAListedClassAreMeantToo() {
    PrecisionPlan plan = plan(net(), Level.O2, lists -> lists.deny(Cell.class));
    assertEquals(Treatment.FULL, treatment(plan, "/0"));
  }

  @Test
  void oneThingOnTwoListsIsAnError() {
    ArgumentException e =
        assertThrows(
            ArgumentException.class,
            () -> PrecisionLists.none().allow(Dense.class, Softmax.class).deny(Dense.class));
    assertEquals(
        "[precision lists]: expected each entry on one list, got Dense on allow and deny.",
        e.getMessage());
    assertThrows(ArgumentException.class, () -> PrecisionLists.none().allow("Exp").promote("Exp"));
    assertThrows(ArgumentException.class, () -> PrecisionLists.none().promote("/a").deny("/a"));
  }

  @Test
  void aPatternThatMatchesNothingIsAnError() {
    ArgumentException e =
        assertThrows(
            ArgumentException.class,
            () -> plan(net(), Level.O2, lists -> lists.deny("/encoder/**")));
    assertTrue(
        e.problem().toString().contains("'/encoder/**', which matches none"),
        e.problem().toString());
    Cell whole = new WithLossCell(net(), new MSELoss());
    assertThrows(
        ArgumentException.class,
        () -> plan(whole, Level.O2, lists -> lists.allow("/loss_fn")),
        "a loss is not the lists' to decide");
  }

  @Test
  void onlyOpsOfAForwardPassThatAreNotFixedCanBeListed() {
    for (Class<?> type :
        List.of(MeanSquaredError.class, Cast.class, RunningAverage.class, Linear.class)) {
      assertThrows(ArgumentException.class, () -> Selection.of(type), type.getSimpleName());
    }
    assertThrows(ArgumentException.class, () -> Selection.of("ReluGradient"));
    assertThrows(ArgumentException.class, () -> Selection.of(String.class));
    ArgumentException e = assertThrows(ArgumentException.class, () -> Selection.of("Exponential"));
    assertTrue(e.problem().toString().contains("'Exponential'"), e.problem().toString());
    assertEquals(Selection.of(Sum.class), Selection.of("Sum"));
    assertEquals(
        Selection.of(MatMul.class), Selection.of(Sum.class, MatMul.class).without(Sum.class));
  }

  @Test
  void explainNamesTheOpsThatAreListed() {
    PrecisionPlan plan = plan(new ReLU(), Level.O2, lists -> lists.deny("Mul").promote("Exp"));
    assertEquals(
        """
        cell  class                     params  compute  output   reason
        /     ReLU                      -       fp16     fp32     level O2
        1 of 1 cells compute in half
        op Mul: deny list
        op Exp: promote list
        """,
        plan.explain());
  }

  /** What single ops are given, by treatment of the cell they stand in. */
  @Test
  void listedOpsAreGivenWhatTheirListSays() {
    Cell net = new Sequential(new Seen.Squares(), new Dense(4, 4), new ReLU());
    assertEquals(
        List.of(DType.FP32), Seen.by(plan(net, Level.O3, lists -> lists.deny("Mul")), net, "Mul"));
    assertEquals(
        List.of(DType.FP16), Seen.by(plan(net, Level.O0, lists -> lists.allow("Mul")), net, "Mul"));
    assertEquals(
        List.of(DType.FP16), Seen.by(plan(net, Level.O2, lists -> lists.allow("Sum")), net, "Sum"));
    assertEquals(
        List.of(DType.FP16),
        Seen.by(plan(net, Level.AUTO, lists -> lists.allow("Sum")), net, "Sum"));
    assertEquals(
        List.of(DType.FP32),
        Seen.by(plan(net, Level.O2, lists -> lists.promote("Mul")), net, "Mul"),
        "the network's input is FP32");
    assertEquals(
        List.of(DType.FP32),
        Seen.by(plan(net, Level.O2, lists -> lists.allow("Mul").deny("/0")), net, "Mul"),
        "a cell that is listed holds its ops");
    assertEquals(
        List.of(DType.FP32),
        Seen.by(plan(net, Level.O3, lists -> lists.promote("/1")), net, "Dense"),
        "the weight is FP32");
    assertEquals(
        List.of(DType.FP32),
        Seen.by(plan(net, Level.O3, lists -> lists.promote("/0")), net, "Sum"),
        "a sum needs FP32 in a promoted cell too");
  }
}
