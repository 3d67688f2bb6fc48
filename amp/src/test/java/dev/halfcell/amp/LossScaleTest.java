package dev.halfcell.amp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.halfcell.op.precision.LossScale;
import dev.halfcell.tensor.ArgumentException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LossScaleTest {
  /** The golden trace of amp.md, reference A.0: MindSpore, PyTorch, Apex, Keras, jmp. */
  @Test
  void theDynamicRuleFollowsTheGoldenTrace() {
    LossScale rule = new LossScale.Dynamic(1024, 2, 0.5, 3, 1, 0x1p24);
    String pattern = "....X.....XX.......";
    double[] expected = {
      1024, 1024, 2048, 2048, 1024, 1024, 1024, 2048, 2048, 2048, 1024, 512, 512, 512, 1024, 1024,
      1024, 2048, 2048
    };
    LossScale.State state = rule.start();
    double[] got = new double[pattern.length()];
    for (int i = 0; i < got.length; i++) {
      state = rule.next(state, pattern.charAt(i) == '.');
      got[i] = state.scale();
    }
    assertEquals(Arrays.toString(expected), Arrays.toString(got));
  }

  @Test
  void floorAndCeilingHold() {
    LossScale rule = new LossScale.Dynamic(4, 2, 0.25, 1, 2, 8);
    assertEquals(2, rule.next(new LossScale.State(4, 0), false).scale());
    assertEquals(8, rule.next(new LossScale.State(4, 0), true).scale());
    assertEquals(8, rule.next(new LossScale.State(8, 0), true).scale());
    assertEquals(
        0x1p30, LossScale.Dynamic.from(0x1p30).start().scale(), "a start above the ceiling");
  }

  @Test
  void aFixedScaleStays() {
    LossScale rule = LossScale.fixed(128);
    assertEquals(128, rule.next(rule.start(), false).scale());
    assertEquals(1, LossScale.none().start().scale());
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
  void scalesThatMakeNoSenseAreRefused(double scale) {
    assertThrows(ArgumentException.class, () -> LossScale.fixed(scale));
    assertThrows(ArgumentException.class, () -> LossScale.Dynamic.from(scale));
  }

  @Test
  void rulesThatMakeNoSenseAreRefused() {
    assertThrows(ArgumentException.class, () -> new LossScale.Dynamic(8, 1, 0.5, 1, 1, 8));
    assertThrows(ArgumentException.class, () -> new LossScale.Dynamic(8, 2, 1, 1, 1, 8));
    assertThrows(ArgumentException.class, () -> new LossScale.Dynamic(8, 2, 0.5, 0, 1, 8));
    assertThrows(ArgumentException.class, () -> new LossScale.Dynamic(8, 2, 0.5, 1, 9, 8));
  }

  /** In FP32, where the scale lives, it would be 0. */
  @Test
  void aScaleThatFp32DoesNotHoldIsRefused() {
    assertThrows(ArgumentException.class, () -> LossScale.fixed(1e-60));
    assertThrows(ArgumentException.class, () -> LossScale.fixed(1e60));
    assertThrows(ArgumentException.class, () -> new LossScale.Dynamic(1, 2, 0.5, 10, 1e-60, 2));
  }
}
