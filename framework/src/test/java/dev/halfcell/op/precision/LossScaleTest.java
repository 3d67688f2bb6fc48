package dev.halfcell.op.precision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.op.precision.LossScale.State;
import dev.halfcell.op.precision.LossScale.Verdict;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the traces of the loss scale contract do not show: borders, bounds, names. */
class LossScaleTest {
  private static final Verdict CLEAN = Verdict.of(true, 1);
  private static final Verdict OVERFLOW = Verdict.of(false);

  private static DynamicScale narrow() {
    return LossScale.dynamic(4, 2, 0.25, 1, 2, 8, 1);
  }

  private static double after(LossScale rule, double scale, Verdict verdict) {
    return rule.next(new State(scale, 0, rule.start().words()), verdict).scale();
  }

  @Test
  void floorAndCeilingHold() {
    assertEquals(2, after(narrow(), 4, OVERFLOW));
    assertEquals(8, after(narrow(), 4, CLEAN));
    assertEquals(8, after(narrow(), 8, CLEAN));
    assertEquals(5, after(narrow(), 5, CLEAN), "a growth past the ceiling is not taken");
  }

  @Test
  void clippedGrowthGoesToTheCeiling() {
    DynamicScale clipped = narrow().habits(ScaleHabits.usual().clipping());
    assertEquals(8, after(clipped, 5, CLEAN));
    assertEquals(8, after(clipped, 8, CLEAN));
  }

  @Test
  void aStartMayBeAboveTheCeilingUnlessGrowthsAreClipped() {
    DynamicScale high = LossScale.dynamic().from(0x1p30);
    assertEquals(0x1p30, high.start().scale());
    assertEquals(0x1p30, high.window(1).next(high.start(), CLEAN).scale());
    assertEquals(0x1p29, high.next(high.start(), OVERFLOW).scale());
    assertThrows(ArgumentException.class, () -> LossScale.apex().from(0x1p30));
  }

  @Test
  void aStartBelowTheFloorLowersTheFloor() {
    DynamicScale low = LossScale.dynamic().from(0.25);
    assertEquals(0.25, low.min());
    assertEquals(0.25, low.next(low.start(), OVERFLOW).scale());
  }

  static Stream<DynamicScale> presets() {
    return LossScale.names().stream()
        .map(name -> LossScale.named(name, DType.FP16))
        .filter(DynamicScale.class::isInstance)
        .map(DynamicScale.class::cast);
  }

  /** 100 growths from 1e38 and 400 falls: in FP32 the one ends at infinity, the other at 0. */
  @ParameterizedTest
  @MethodSource("presets")
  void noRuleLeavesTheFiniteNumbersAboveZero(DynamicScale preset) {
    DynamicScale rule = preset.window(1);
    State state = new State(1e38, 0, rule.start().words());
    for (int step = 0; step < 100; step++) {
      state = rule.next(state, CLEAN);
      assertTrue(Double.isFinite(state.scale()), "growth " + step);
    }
    for (int step = 0; step < 400; step++) {
      state = rule.next(state, OVERFLOW);
      assertTrue(state.scale() > 0, "fall " + step);
    }
    assertEquals((double) (float) rule.min(), state.scale());
  }

  @Test
  void presetsStartAndEndWhereTheirSystemsDo() {
    assertEquals(
        List.of(
            65536.0, 16384.0, 0x1p24, 65536.0, 65536.0, 32768.0, 32768.0, 8.0, 65536.0, 65536.0),
        presets().map(DynamicScale::init).toList());
    double none = Float.MIN_VALUE;
    assertEquals(
        List.of(1.0, 1.0, 1.0, none, none, none, 1.0, none, 1.0, 1.0),
        presets().map(DynamicScale::min).toList());
    double open = Float.MAX_VALUE;
    assertEquals(
        List.of(0x1p24, 0x1p14, open, open, 0x1p24, open, open, open, open, open),
        presets().map(DynamicScale::max).toList());
    assertEquals(
        List.of(2000, 2000, 2000, 2000, 2000, 2000, 2000, 2000, 1000, 1000),
        presets().map(DynamicScale::window).toList());
  }

  @Test
  void aScaleIsWhatFp32Holds() {
    assertEquals((double) 0.1f, LossScale.fixed(0.1).start().scale());
    DynamicScale thirds = LossScale.dynamic(1000, 3, 1 / 3.0, 1, 0.1, 1e9, 1);
    assertEquals((double) (1000 / 3f), after(thirds, 1000, OVERFLOW));
    assertEquals((double) 0.1f, after(thirds, 0.2, OVERFLOW));
  }

  @Test
  void mindSporeGivesUpAfter1000OverflowsInARow() {
    assertEquals(OptionalInt.of(1000), LossScale.mindspore().mostOverflowsInARow());
    assertEquals(OptionalInt.empty(), LossScale.dynamic().mostOverflowsInARow());
    assertEquals(OptionalInt.empty(), LossScale.none().mostOverflowsInARow());
  }

  @Test
  void deepSpeedGivesUpAtItsFloorOnceTheOverflowsBeforeAFallAreSpent() {
    LossScale rule = LossScale.deepSpeed(2);
    assertFalse(rule.givesUpOnOverflow(new State(1, 0, List.of(2.0))));
    assertTrue(rule.givesUpOnOverflow(new State(1, 0, List.of(1.0))));
    assertFalse(rule.givesUpOnOverflow(new State(2, 0, List.of(1.0))));
    assertTrue(LossScale.deepSpeed(1).givesUpOnOverflow(new State(1, 0)));
    assertFalse(LossScale.deepSpeedFused().givesUpOnOverflow(new State(1, 0)));
    assertFalse(LossScale.fixed(1).givesUpOnOverflow(new State(1, 0)));
  }

  @Test
  void anOverflowMayBeAppliedWhereAFixedScaleSaysSo() {
    assertTrue(LossScale.fixed(128).dropsOverflows());
    assertFalse(LossScale.fixed(128).dropOverflowUpdate(false).dropsOverflows());
    assertTrue(LossScale.dynamic().dropsOverflows());
    assertEquals(128, after(LossScale.fixed(128), 128, OVERFLOW));
    assertEquals(1, LossScale.none().start().scale());
  }

  @Test
  void onlyStatisticsReadTheLargestMagnitude() {
    assertTrue(LossScale.logMax().readsLargest());
    assertFalse(LossScale.dynamic().readsLargest());
  }

  @Test
  void theLogarithmOfAMagnitudeIsExactForPowersOfTwo() {
    for (int exponent = -149; exponent < 128; exponent++) {
      assertEquals(exponent, Verdict.of(true, Math.scalb(1.0, exponent)).log2Largest());
    }
    assertEquals(Math.log(3) / Math.log(2), Verdict.of(true, 3).log2Largest(), 1e-15);
    assertEquals(Double.NEGATIVE_INFINITY, Verdict.of(true, 0).log2Largest());
    assertEquals(Double.POSITIVE_INFINITY, Verdict.of(false, 1 / 0.0).log2Largest());
    assertTrue(Double.isNaN(Verdict.of(false, Double.NaN).log2Largest()));
  }

  @Test
  void logMaxFollowsTheFormat() {
    LogMaxScale half = LossScale.logMax().bounds(1, 0x1p127);
    LogMaxScale bf16 = LossScale.logMax(DType.BF16).bounds(1, 0x1p127);
    assertEquals(0x1p16, after(half, 1, CLEAN));
    assertEquals(0x1p127, after(bf16, 1, CLEAN));
    assertEquals(0x1p118, after(bf16, 1, Verdict.of(true, 0x1p10)));
    assertThrows(ArgumentException.class, () -> LossScale.logMax(DType.FP32));
  }

  @Test
  void logMaxLeavesGradientsThatAreAllZeroOutOfItsStatisticsAndDoublesTheScale() {
    LossScale rule = LossScale.logMax();
    State seen = rule.next(rule.start(), Verdict.of(true, 0x1p6));
    State later = rule.next(seen, Verdict.of(true, 0));
    assertEquals(new State(2 * seen.scale(), seen.clean(), seen.words()), later);
    State state = rule.start();
    for (int step = 1; step <= 20; step++) {
      state = rule.next(state, Verdict.of(true, 0));
      assertEquals(Math.scalb(1.0, Math.min(step, 14)), state.scale());
      assertEquals(rule.start().words(), state.words());
    }
  }

  /** An overflow early on puts the scale at its floor, where all that is below 2^-24 is 0. */
  @Test
  void logMaxFindsGradientsAgainThatHalfFlushes() {
    LossScale rule = LossScale.logMax();
    State state = rule.next(rule.start(), OVERFLOW);
    assertEquals(1, state.scale());
    for (int step = 0; step < 300; step++) {
      double seen = 0x1p-30 * state.scale() < 0x1p-24 ? 0 : 0x1p-30;
      state = rule.next(state, Verdict.of(true, seen));
    }
    assertEquals(0x1p14, state.scale());
  }

  /** Recorded as 16, not as 2^16, an overflow does not pin the scale at its floor. */
  @Test
  void logMaxRecoversFromAnOverflow() {
    LossScale rule = LossScale.logMax();
    State state = rule.start();
    for (int step = 0; step < 50; step++) {
      state = rule.next(state, Verdict.of(true, 0.125));
    }
    state = rule.next(state, OVERFLOW);
    for (int step = 0; step < 10; step++) {
      state = rule.next(state, Verdict.of(true, 0.125));
    }
    assertTrue(state.scale() > 64, "scale " + state.scale());
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY, 1e-60, 1e60})
  void scalesThatFp32DoesNotHoldAboveZeroAreRefused(double scale) {
    assertThrows(ArgumentException.class, () -> LossScale.fixed(scale));
    assertThrows(ArgumentException.class, () -> LossScale.dynamic().from(scale));
    assertThrows(ArgumentException.class, () -> LossScale.dynamic().bounds(scale, 0x1p24));
  }

  @Test
  void namesFindRulesAndRulesKnowTheirNames() {
    for (String name : LossScale.names()) {
      assertEquals(name, LossScale.named(name, DType.FP16).name());
      assertEquals(name, LossScale.named(name, DType.BF16).name());
    }
    assertEquals(LossScale.mindspore(), LossScale.named("mindspore", DType.FP16));
    assertEquals(LossScale.logMax(DType.BF16), LossScale.named("logmax", DType.BF16));
    assertEquals(LossScale.fixed(128), LossScale.named("128", DType.FP16));
    assertEquals("128", LossScale.fixed(128).name());
    assertEquals("0.5", LossScale.fixed(0.5).name());
    assertTrue(LossScale.pytorch().from(1024).name().contains("init=1024.0"));
    assertTrue(LossScale.fixed(8).dropOverflowUpdate(false).name().contains("false"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"Dynamic", "", "-1", "0", "NaN", "1e99", "deepspeed-unfused"})
  void whatNamesNoRuleIsRefusedWithAllNames(String text) {
    ArgumentException e =
        assertThrows(ArgumentException.class, () -> LossScale.named(text, DType.FP16));
    assertTrue(e.problem().expected().contains("deepspeed-fused"), e.getMessage());
    assertEquals("'" + text + "'", e.problem().got());
  }
}
