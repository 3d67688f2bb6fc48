package dev.halfcell.amp.precision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.Capabilities;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.LSTM;
import dev.halfcell.nn.LayerNorm;
import dev.halfcell.nn.ReLU;
import dev.halfcell.nn.Sequential;
import dev.halfcell.op.CellPath;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which cells keep their sums of products in half, and what is said of it. */
class PartialsTest {
  private static final PrecisionOptions DEFAULTS = PrecisionOptions.defaults();
  private static final String NARROW = "Dense with fp16 partials";

  /** Two blocks of a dense layer, and one behind them. */
  private static Cell net() {
    return new Sequential(block(), block(), new Dense(4, 4));
  }

  private static Cell block() {
    return new Sequential(new Dense(4, 4), new LayerNorm(4), new ReLU());
  }

  private static PrecisionPlan plan(Level level, PrecisionOptions options) {
    return PrecisionPlan.of(net(), level, options);
  }

  /** The dtypes at the dense layers /0/0, /1/0 and /2. */
  private static List<DType> dense(UnaryOperator<PrecisionOptions> change) {
    PrecisionPlan plan = plan(Level.O2, change.apply(DEFAULTS));
    return List.of("/0/0", "/1/0", "/2").stream()
        .map(path -> Seen.decision(plan, path).partials())
        .toList();
  }

  @Test
  void sumsAreFp32UnlessHalfIsAskedForEverywhereOrOfSomeCells() {
    DType full = DType.FP32;
    DType half = DType.FP16;
    assertEquals(List.of(full, full, full), dense(o -> o));
    assertEquals(List.of(half, half, half), dense(o -> o.partials(half)));
    assertEquals(List.of(half, full, full), dense(o -> o.partials("/0", half)));
    assertEquals(List.of(half, full, full), dense(o -> o.partials("/0/**", half)));
    assertEquals(
        List.of(half, full, half),
        dense(o -> o.partials(Dense.class, half).partials("/1/0", full)));
    assertEquals(List.of(half, full, half), dense(o -> o.partials(half).partials("/1", full)));
    assertEquals(List.of(full, full, full), dense(o -> o.partials(half).partials(full)));
    assertEquals(List.of(full, DType.BF16, full), dense(o -> o.partials("/1/*", DType.BF16)));
  }

  @Test
  void ofTwoEntriesTheOneForAPartOfTheOthersCellsCounts() {
    UnaryOperator<PrecisionOptions> inner =
        o -> o.partials("/0/0", DType.FP32).partials("/0/**", DType.FP16);
    assertEquals(List.of(DType.FP32, DType.FP32, DType.FP32), dense(inner));
    assertEquals(
        List.of(DType.FP32, DType.FP16, DType.FP16),
        dense(o -> o.partials("/**", DType.FP16).partials("/0", DType.FP32)));
    assertEquals(
        List.of(DType.FP16, DType.FP16, DType.FP16),
        dense(o -> o.partials(Dense.class, DType.FP16).partials("/0", DType.FP16)));
  }

  @Test
  void aPathOfItsOwnSettlesWhatTwoEntriesContradict() {
    PrecisionOptions both = DEFAULTS.partials(Dense.class, DType.FP16).partials("/0", DType.FP32);
    ArgumentException e = assertThrows(ArgumentException.class, () -> plan(Level.O2, both));
    assertEquals(
        "[partials] at /0/0: expected one dtype, got fp16 by Dense and fp32 by /0, neither of which"
            + " is a part of the other. Give this path a dtype of its own.",
        e.problem().message());
    assertEquals(
        DType.FP16,
        plan(Level.O2, both.partials("/0/0", DType.FP16)).partials(new CellPath("/0/0")));
    PrecisionOptions same = DEFAULTS.partials("/0", DType.FP16).partials("/0/**", DType.FP32);
    assertEquals(DType.FP32, plan(Level.O2, same).partials(new CellPath("/0/0")));
    PrecisionOptions twice = DEFAULTS.partials("/0/0", DType.FP16).partials("/0/?", DType.FP32);
    assertEquals(DType.FP16, plan(Level.O2, twice).partials(new CellPath("/0/0")));
    PrecisionOptions alike = DEFAULTS.partials("/2", DType.FP16).partials("**/2", DType.FP32);
    assertThrows(
        ArgumentException.class, () -> plan(Level.O3, alike.partials("/2/**", DType.FP16)));
  }

  @Test
  void whatMeansNoCellIsRefused() {
    refused(DEFAULTS.partials("/encoder/**", DType.FP16), "'/encoder/**', which matches none");
    refused(DEFAULTS.partials(LSTM.class, DType.FP32), "'LSTM', which matches none");
  }

  private static void refused(PrecisionOptions options, String saying) {
    ArgumentException e = assertThrows(ArgumentException.class, () -> plan(Level.O2, options));
    assertTrue(e.problem().message().contains(saying), e.problem().message());
  }

  @Test
  void whatIsNoDtypeOfSumsOrNoCellOrSaidTwiceIsRefused() {
    assertThrows(ArgumentException.class, () -> DEFAULTS.partials(DType.FP64));
    assertThrows(ArgumentException.class, () -> DEFAULTS.partials("/0", DType.INT64));
    assertThrows(ArgumentException.class, () -> DEFAULTS.partials("encoder", DType.FP16));
    Selector op = new Selector.Ops(dev.halfcell.op.linear.MatMul.class);
    assertThrows(ArgumentException.class, () -> Partials.full().with(op, DType.FP16));
    PrecisionOptions once = DEFAULTS.partials("/0", DType.FP16);
    assertThrows(ArgumentException.class, () -> once.partials("/0", DType.FP32));
  }

  @ParameterizedTest
  @EnumSource(names = {"O1", "O2", "O3", "AUTO"})
  void productsOfHalfAreSummedAsAskedAtEveryLevel(Level level) {
    PrecisionPlan plan = plan(level, DEFAULTS.partials(DType.FP16).partials("/1", DType.FP32));
    assertEquals(List.of(DType.FP16, DType.FP16), Seen.by(plan, net(), NARROW));
    assertEquals(List.of(DType.FP16), Seen.by(plan, net(), "Dense"));
  }

  @Test
  void productsOfFp32AreSummedAsEver() {
    PrecisionOptions asked = DEFAULTS.partials(DType.FP16);
    assertEquals(List.of(), Seen.by(plan(Level.O0, asked), net(), NARROW));
    PrecisionPlan denied = plan(Level.O2, asked.lists(l -> l.deny("Dense")));
    assertEquals(3, Seen.by(denied, net(), "Dense").size());
    PrecisionPlan part = plan(Level.O0, asked.part("/1", DType.BF16));
    assertEquals(List.of(DType.BF16), Seen.by(part, net(), NARROW));
  }

  @Test
  void aDemotedCellSumsInFp32() {
    PrecisionPlan plan = plan(Level.O2, DEFAULTS.partials(DType.FP16));
    var because = new Reason.Demoted("Dense", dev.halfcell.op.Direction.FORWARD, 7, 3);
    PrecisionPlan demoted = plan.demoted(Map.of(new CellPath("/2"), because));
    assertEquals(2, Seen.by(demoted, net(), NARROW).size());
    assertEquals(List.of(DType.FP32), Seen.by(demoted, net(), "Dense"));
  }

  @Test
  void aCellWithItsOwnPrecisionFollowsThePlanAroundIt() {
    Cell own = MixedPrecisionCell.of(new Dense(4, 4), Level.O2, DEFAULTS);
    Cell net = new Sequential(own, new Dense(4, 4));
    PrecisionPlan plan = PrecisionPlan.of(net, Level.O0, DEFAULTS.partials(DType.FP16));
    assertEquals(List.of(DType.FP16), Seen.by(plan, net, NARROW));
    assertThrows(
        ArgumentException.class,
        () -> MixedPrecisionCell.of(net(), Level.O2, DEFAULTS.partials(DType.FP16)));
  }

  private static Explanation explained(Level level, PrecisionOptions options) {
    Cell net = new Sequential(new LSTM(4, 4), new Dense(4, 4), new ReLU(), new Dense(4, 4));
    return Explanation.of(net, List.of(TensorSpec.of(DType.FP32, 2, 3, 4)), level, options);
  }

  /** A dense layer sums products in the forward pass, and twice in the backward pass. */
  @Test
  void theExplanationSaysWhichOpsKeepTheirSumsInHalf() {
    PrecisionOptions options = DEFAULTS.partials(DType.FP16).part("/3", DType.FP32);
    assertEquals(
        """
        cell  class                     params  compute  output   reason
        /     Sequential                -       fp16     fp32     level O2
        /0    LSTM                      fp32    fp16     fp16     level O2; Lstm with fp32 partials
        /1    Dense                     fp32    fp16     fp16     level O2; fp16 partials
        /2    ReLU                      -       fp16     fp16     level O2
        /3    Dense                     fp32    fp32     fp32     fp32 asked for by part /3; Dense with fp32 partials
        4 of 5 cells compute in half
        """,
        explained(Level.O2, options)
            .text()
            .lines()
            .limit(7)
            .map("%s%n"::formatted)
            .reduce("", String::concat));
    assertEquals(
        List.of(
            "products of half are summed in fp16 partials",
            "3 ops of a training step with fp16 partials"),
        explained(Level.O2, options).notes());
  }

  @Test
  void theExplanationSaysWhereNothingIsSummedInHalf() {
    PrecisionOptions asked = DEFAULTS.partials("/1", DType.BF16).partials("/3", DType.FP32);
    assertEquals(
        List.of(
            "products of half are summed in bf16 partials: /1",
            "products of half are summed in fp32 partials: /3",
            "0 ops of a training step with bf16 partials"),
        explained(Level.O0, asked).notes());
    assertEquals(List.of(), explained(Level.O2, DEFAULTS.partials(DType.FP32)).notes());
  }

  @Test
  void aDeviceThatOffersNoPartialsIsNamed() {
    Set<DType> halves = Set.of(DType.FP16, DType.FP32);
    Explanation asked = explained(Level.O2, DEFAULTS.partials(DType.FP16));
    assertEquals(asked, asked.on(new Capabilities(halves, halves)));
    Explanation refused = asked.on(new Capabilities(halves));
    assertEquals("the device refuses fp16 partials", refused.notes().getLast());
    Explanation without = explained(Level.O0, DEFAULTS.partials(DType.FP16));
    assertEquals(without, without.on(new Capabilities(halves)));
  }

  @Test
  void plansThatSumInAnotherDtypeDiffer() {
    PlanDiff diff =
        PlanDiff.of(plan(Level.O2, DEFAULTS), plan(Level.O2, DEFAULTS.partials("/2", DType.FP16)));
    assertEquals(
        """
        cell  class                     level O2         level O2
        /2    Dense                     fp16 (level O2)  fp16, fp16 partials (level O2)
        products of half are summed in fp16 partials: /2, in the second plan alone
        1 of 10 cells differ
        """,
        diff.text());
    PrecisionOptions inFull = DEFAULTS.partials(DType.FP16);
    assertEquals(0, PlanDiff.of(plan(Level.O0, DEFAULTS), plan(Level.O0, inFull)).cells().size());
  }
}
