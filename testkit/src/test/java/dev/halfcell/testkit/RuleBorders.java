package dev.halfcell.testkit;

import static dev.halfcell.testkit.Border.BELOW_ONE;
import static dev.halfcell.testkit.Border.INFINITY;
import static dev.halfcell.testkit.Border.LEAST;
import static dev.halfcell.testkit.Border.NAN;

import dev.halfcell.op.precision.DynamicScale;
import dev.halfcell.op.precision.FixedScale;
import dev.halfcell.op.precision.LogMaxScale;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.op.precision.ScaleHabits;
import dev.halfcell.op.update.AdagradRule;
import dev.halfcell.op.update.AdamRule;
import dev.halfcell.op.update.ClipByNorm;
import dev.halfcell.op.update.ClipByValue;
import dev.halfcell.op.update.LambRule;
import dev.halfcell.op.update.LarsRule;
import dev.halfcell.op.update.MomentumRule;
import dev.halfcell.op.update.OneCycle;
import dev.halfcell.op.update.Plateau;
import dev.halfcell.op.update.RmsPropRule;
import dev.halfcell.op.update.Schedule;
import dev.halfcell.op.update.SgdRule;
import java.util.List;
import java.util.stream.Stream;

/** The borders of what optimizers, learning rates and loss scales are made with. */
final class RuleBorders {
  private static final Schedule RATE = new Schedule.Constant(0.1);

  private RuleBorders() {}

  static Stream<Border> all() {
    return Stream.of(
            decays(),
            shares(),
            positive(),
            rates(),
            schedules(),
            oneCycle(),
            scales(),
            statistics())
        .flatMap(borders -> borders);
  }

  private static Stream<Border> decays() {
    return Stream.of(
            Border.of(SgdRule.class, "weightDecay", SgdRule::new),
            Border.of(MomentumRule.class, "weightDecay", v -> new MomentumRule(0.9, true, v)),
            Border.of(AdamRule.class, "weightDecay", v -> new AdamRule(0, 0, 1, v, true)),
            Border.of(LambRule.class, "weightDecay", v -> new LambRule(0, 0, 1, v)),
            Border.of(LarsRule.class, "weightDecay", v -> new LarsRule(1, 0, v)),
            Border.of(RmsPropRule.class, "weightDecay", v -> new RmsPropRule(0, 1, 0, true, v)),
            Border.of(AdagradRule.class, "weightDecay", v -> new AdagradRule(0, 1, v)))
        .map(Border::notNegative);
  }

  private static Stream<Border> shares() {
    return Stream.of(
            Border.of(MomentumRule.class, "momentum", v -> new MomentumRule(v, true, 0)),
            Border.of(AdamRule.class, "beta1", v -> new AdamRule(v, 0, 1, 0, true)),
            Border.of(AdamRule.class, "beta2", v -> new AdamRule(0, v, 1, 0, true)),
            Border.of(LambRule.class, "beta1", v -> new LambRule(v, 0, 1, 0)),
            Border.of(LambRule.class, "beta2", v -> new LambRule(0, v, 1, 0)),
            Border.of(LarsRule.class, "momentum", v -> new LarsRule(1, v, 0)),
            Border.of(RmsPropRule.class, "smoothing", v -> new RmsPropRule(v, 1, 0, true, 0)),
            Border.of(RmsPropRule.class, "momentum", v -> new RmsPropRule(0, 1, v, true, 0)),
            Border.of(Plateau.class, "threshold", v -> new Plateau(RATE, 0.5, 1, v, 0)))
        .map(Border::share);
  }

  private static Stream<Border> positive() {
    return Stream.of(
            Border.of(AdamRule.class, "epsilon", v -> new AdamRule(0, 0, v, 0, true)),
            Border.of(LambRule.class, "epsilon", v -> new LambRule(0, 0, v, 0)),
            Border.of(RmsPropRule.class, "epsilon", v -> new RmsPropRule(0, v, 0, true, 0)),
            Border.of(AdagradRule.class, "epsilon", v -> new AdagradRule(0, v, 0)),
            Border.of(LarsRule.class, "trust", v -> new LarsRule(v, 0, 0)),
            Border.of(ClipByNorm.class, "largest", ClipByNorm::new),
            Border.of(ClipByValue.class, "largest", ClipByValue::new))
        .map(Border::positiveInFp32);
  }

  private static Stream<Border> rates() {
    return Stream.of(
            Border.of(AdagradRule.class, "initial", v -> new AdagradRule(v, 1, 0)),
            Border.of(Schedule.Constant.class, "rate", Schedule.Constant::new),
            Border.of(Schedule.StepDecay.class, "rate", v -> new Schedule.StepDecay(v, 1, 0.5)),
            Border.of(Schedule.Exponential.class, "rate", v -> new Schedule.Exponential(v, 1, 0.5)),
            Border.of(Schedule.Cosine.class, "rate", v -> new Schedule.Cosine(v, 1, 0)),
            Border.of(Schedule.Polynomial.class, "rate", v -> new Schedule.Polynomial(v, 1, 0, 1)),
            Border.of(
                Schedule.Piecewise.class,
                "rates",
                v -> new Schedule.Piecewise(List.of(0L), List.of(v))),
            Border.of(OneCycle.class, "peak", v -> new OneCycle(v, 10)))
        .map(Border::notNegativeInFp32);
  }

  private static Stream<Border> schedules() {
    return Stream.of(
        Border.of(Schedule.WarmUp.class, "steps", v -> new Schedule.WarmUp((int) v, RATE)).from(1),
        Border.of(Schedule.StepDecay.class, "every", v -> new Schedule.StepDecay(1, (int) v, 0.5))
            .from(1),
        Border.of(
                Schedule.Exponential.class, "every", v -> new Schedule.Exponential(1, (int) v, 0.5))
            .from(1),
        Border.of(Schedule.Cosine.class, "steps", v -> new Schedule.Cosine(1, (int) v, 0)).from(1),
        Border.of(
                Schedule.Polynomial.class, "steps", v -> new Schedule.Polynomial(1, (int) v, 0, 1))
            .from(1),
        Border.of(Schedule.StepDecay.class, "factor", v -> new Schedule.StepDecay(1, 1, v))
            .takes(LEAST, 1)
            .refuses(0, 1.5, NAN),
        Border.of(Schedule.Exponential.class, "factor", v -> new Schedule.Exponential(1, 1, v))
            .takes(LEAST, 1)
            .refuses(0, 1.5, NAN),
        Border.of(Schedule.Scaled.class, "factor", v -> new Schedule.Scaled(RATE, v)).notNegative(),
        Border.of(Schedule.Cosine.class, "end", v -> new Schedule.Cosine(1, 1, v))
            .takes(0, 1)
            .refuses(-LEAST, 1.5, NAN),
        Border.of(Schedule.Polynomial.class, "end", v -> new Schedule.Polynomial(1, 1, v, 1))
            .takes(0, 1)
            .refuses(-LEAST, 1.5, NAN),
        Border.of(Schedule.Polynomial.class, "power", v -> new Schedule.Polynomial(1, 1, 0, v))
            .positive(),
        Border.of(
                Schedule.Piecewise.class,
                "starts",
                v -> new Schedule.Piecewise(List.of(0L, (long) v), List.of(1.0, 2.0)))
            .from(1),
        Border.of(Plateau.class, "factor", v -> new Plateau(RATE, v, 1, 0, 0))
            .takes(LEAST, BELOW_ONE)
            .refuses(0, 1, NAN),
        Border.of(Plateau.class, "patience", v -> new Plateau(RATE, 0.5, (int) v, 0, 0)).from(0),
        Border.of(Plateau.class, "least", v -> new Plateau(RATE, 0.5, 1, 0, v))
            .takes(0, 1)
            .refuses(-LEAST, 1.5, NAN));
  }

  private static Stream<Border> oneCycle() {
    return Stream.of(
        Border.of(OneCycle.class, "steps", v -> new OneCycle(1, (int) v, 0.75, 1, 1)).from(2),
        Border.of(OneCycle.class, "rise", v -> new OneCycle(1, 4, v, 1, 1))
            .takes(0.2501, BELOW_ONE)
            .refuses(0.25, 1, NAN),
        Border.of(OneCycle.class, "startDivisor", v -> new OneCycle(1, 4, 0.5, v, 1))
            .takes(1)
            .refuses(BELOW_ONE, NAN, INFINITY),
        Border.of(OneCycle.class, "endDivisor", v -> new OneCycle(1, 4, 0.5, 1, v))
            .takes(1)
            .refuses(BELOW_ONE, NAN, INFINITY));
  }

  private static Stream<Border> scales() {
    return Stream.of(
        Border.of(FixedScale.class, "scale", v -> new FixedScale(v, true)).positiveInFp32(),
        Border.of(DynamicScale.class, "init", v -> dynamic(v, 2, 0.5, 1, 4, 8))
            .takes(4, 16)
            .refuses(3.5, NAN, Double.MAX_VALUE),
        Border.of(DynamicScale.class, "up", v -> dynamic(4, v, 0.5, 1, 4, 8))
            .takes(Math.nextUp(1.0))
            .refuses(1, NAN, INFINITY),
        Border.of(DynamicScale.class, "down", v -> dynamic(4, 2, v, 1, 4, 8))
            .takes(LEAST, BELOW_ONE)
            .refuses(0, 1, NAN),
        Border.of(DynamicScale.class, "window", v -> dynamic(4, 2, 0.5, v, 4, 8)).from(1),
        Border.of(DynamicScale.class, "min", v -> dynamic(8, 2, 0.5, 1, v, 8))
            .takes(Float.MIN_VALUE, 8)
            .refuses(0, LEAST, 8.5, NAN),
        Border.of(DynamicScale.class, "max", v -> dynamic(4, 2, 0.5, 1, 4, v))
            .takes(4)
            .refuses(3.5, NAN, Double.MAX_VALUE),
        Border.of(ScaleHabits.class, "hysteresis", v -> ScaleHabits.usual().hysteresis((int) v))
            .from(1),
        Border.of(ScaleHabits.class, "late", v -> ScaleHabits.usual().late((int) v)).from(0),
        Border.of(
                ScaleHabits.class,
                "mostOverflowsInARow",
                v -> ScaleHabits.usual().mostOverflowsInARow((int) v))
            .from(0));
  }

  private static Stream<Border> statistics() {
    return Stream.of(
        Border.of(LogMaxScale.class, "min", v -> new LogMaxScale(v, 8, 16, 0, 0, 0))
            .takes(Float.MIN_VALUE, 8)
            .refuses(0, LEAST, 8.5, NAN),
        Border.of(LogMaxScale.class, "max", v -> new LogMaxScale(4, v, 16, 0, 0, 0))
            .takes(4)
            .refuses(3.5, NAN, Double.MAX_VALUE),
        Border.of(LogMaxScale.class, "logMax", v -> new LogMaxScale(1, 2, v, 0, 0, 0))
            .takes(LEAST, 128)
            .refuses(0, 128.5, NAN),
        Border.of(LogMaxScale.class, "meanDecay", v -> new LogMaxScale(1, 2, 16, v, 0, 0)).share(),
        Border.of(LogMaxScale.class, "spreadDecay", v -> new LogMaxScale(1, 2, 16, 0, v, 0))
            .share(),
        Border.of(LogMaxScale.class, "deviations", v -> new LogMaxScale(1, 2, 16, 0, 0, v))
            .notNegative());
  }

  private static DynamicScale dynamic(
      double init, double up, double down, double window, double min, double max) {
    return LossScale.dynamic(init, up, down, (int) window, min, max, 1);
  }
}
