package dev.halfcell.zoo.job;

import dev.halfcell.op.precision.DynamicScale;
import dev.halfcell.op.precision.FixedScale;
import dev.halfcell.op.precision.LogMaxScale;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.op.precision.NoScale;
import dev.halfcell.op.precision.ScaleHabits;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What the loss is multiplied by before the backward pass: nothing, a number, or as a rule says
 * that has its numbers changed. A rule's name or a number may stand for the whole.
 *
 * @param rule {@code none}, {@code fixed}, or a name that {@link LossScale#named} knows
 * @param scale of fixed
 * @param dropsOverflows of fixed: whether a step that overflows is refused
 * @param init of a dynamic rule, as {@link DynamicScale} says
 * @param hysteresis of a dynamic rule, as {@link ScaleHabits} says
 * @param logMax of logmax, as {@link LogMaxScale} says
 */
@ShortForm({"rule", "scale"})
public record LossScaleSpecification(
    @Key(
            value = "Nothing, a constant, or the rule of a system by name.",
            words = {
              "none",
              "fixed",
              "dynamic",
              "backoff",
              "logmax",
              "mindspore",
              "pytorch",
              "apex",
              "keras",
              "tfkeras",
              "nnabla",
              "deepspeed",
              "deepspeed-fused"
            })
        Optional<String> rule,
    @Key(value = "The constant, with the rule fixed.", positive = true) Optional<Double> scale,
    @Key("With fixed: whether a step that overflows is refused.") Optional<Boolean> dropsOverflows,
    @Key(value = "The scale of the first step.", positive = true) Optional<Double> init,
    @Key("What a dynamic scale grows by, above 1.") Optional<Double> up,
    @Key("What it falls by, between 0 and 1.") Optional<Double> down,
    @Key(value = "The clean steps before it grows.", least = 1) Optional<Integer> window,
    @Key(value = "The least scale.", positive = true) Optional<Double> min,
    @Key(value = "The largest scale.", positive = true) Optional<Double> max,
    @Key(value = "The overflow at which it falls.", least = 1) Optional<Integer> hysteresis,
    @Key("Whether a clean step starts the count of overflows anew.") Optional<Boolean> consecutive,
    @Key("Whether a growth past the largest scale goes to it.") Optional<Boolean> clips,
    @Key(value = "Steps by which a growth is late.", least = 0) Optional<Integer> late,
    @Key(value = "The most overflows in a row before the run gives up.", least = 0)
        Optional<Integer> mostOverflowsInARow,
    @Key("Whether the run gives up where the scale would fall below the least.")
        Optional<Boolean> givesUpAtFloor,
    @Key("With logmax: the logarithm of what just overflows.") Optional<Double> logMax,
    @Key("With logmax: the share of the mean that a step leaves.") Optional<Double> beta1,
    @Key("With logmax: the share of the spread that a step leaves.") Optional<Double> beta2,
    @Key("With logmax: standard deviations above the mean.") Optional<Double> deviations) {
  private static final List<String> OF_FIXED = List.of("scale", "dropsOverflows");
  private static final List<String> OF_DYNAMIC =
      List.of(
          "init",
          "up",
          "down",
          "window",
          "min",
          "max",
          "hysteresis",
          "consecutive",
          "clips",
          "late",
          "mostOverflowsInARow",
          "givesUpAtFloor");
  private static final List<String> OF_LOG_MAX =
      List.of("min", "max", "logMax", "beta1", "beta2", "deviations");

  private static final LossScaleSpecification UNSAID = of(new ObjectTree());

  /** Nothing is said: the level's own. */
  public static LossScaleSpecification unsaid() {
    return UNSAID;
  }

  /** All that makes up this rule. */
  public static LossScaleSpecification of(LossScale rule) {
    ObjectTree tree = new ObjectTree();
    switch (rule) {
      case NoScale() -> tree.put("rule", "none");
      case FixedScale(double scale, boolean drops) ->
          tree.put("rule", "fixed").put("scale", scale).put("dropsOverflows", drops);
      case DynamicScale dynamic -> dynamic(dynamic, tree);
      case LogMaxScale(var min, var max, var logMax, var beta1, var beta2, var deviations) ->
          tree.put("rule", "logmax")
              .put("min", min)
              .put("max", max)
              .put("logMax", logMax)
              .put("beta1", beta1)
              .put("beta2", beta2)
              .put("deviations", deviations);
    }
    return of(tree);
  }

  private static void dynamic(DynamicScale of, ObjectTree tree) {
    ScaleHabits habits = of.habits();
    tree.put("rule", LossScale.names().contains(of.name()) ? of.name() : "dynamic")
        .put("init", of.init())
        .put("up", of.up())
        .put("down", of.down())
        .put("window", of.window())
        .put("min", of.min())
        .put("max", of.max())
        .put("hysteresis", habits.hysteresis())
        .put("consecutive", habits.consecutive())
        .put("clips", habits.clips())
        .put("late", habits.late())
        .put("givesUpAtFloor", habits.givesUpAtFloor());
    habits.mostOverflowsInARow().ifPresent(most -> tree.put("mostOverflowsInARow", most));
  }

  private static LossScaleSpecification of(ObjectTree tree) {
    return tree.as(LossScaleSpecification.class);
  }

  /** Whether anything is said. */
  boolean said() {
    return !equals(UNSAID);
  }

  /**
   * The rule.
   *
   * @throws ArgumentException where a key belongs to another rule, or numbers do not fit together
   */
  LossScale rule(DType half) {
    String name = rule.orElse(scale.isPresent() ? "fixed" : "dynamic");
    if (name.equals("fixed")) {
      only(name, OF_FIXED);
      ArgumentException.require(
          scale.isPresent(), "scale", "a number, with the rule fixed", "none");
      return LossScale.fixed(scale.orElseThrow()).dropOverflowUpdate(dropsOverflows.orElse(true));
    }
    return switch (LossScale.named(name, half)) {
      case NoScale none -> {
        only(name, List.of());
        yield none;
      }
      case FixedScale fixed -> fixed;
      case DynamicScale usual -> {
        only(name, OF_DYNAMIC);
        yield changed(usual);
      }
      case LogMaxScale usual -> {
        only(name, OF_LOG_MAX);
        yield changed(usual);
      }
    };
  }

  private void only(String name, List<String> known) {
    for (String key : RecordWriter.tree(this).propertyNames()) {
      ArgumentException.require(
          key.equals("rule") || known.contains(key),
          "rule " + name,
          known.isEmpty() ? "no other key" : "keys " + String.join(", ", known),
          key);
    }
  }

  private DynamicScale changed(DynamicScale usual) {
    ScaleHabits habits = usual.habits();
    OptionalInt most =
        mostOverflowsInARow.map(OptionalInt::of).orElse(habits.mostOverflowsInARow());
    return new DynamicScale(
        init.orElse(usual.init()),
        up.orElse(usual.up()),
        down.orElse(usual.down()),
        window.orElse(usual.window()),
        min.orElse(usual.min()),
        max.orElse(usual.max()),
        new ScaleHabits(
            hysteresis.orElse(habits.hysteresis()),
            consecutive.orElse(habits.consecutive()),
            clips.orElse(habits.clips()),
            late.orElse(habits.late()),
            most,
            givesUpAtFloor.orElse(habits.givesUpAtFloor())));
  }

  private LogMaxScale changed(LogMaxScale usual) {
    return new LogMaxScale(
        min.orElse(usual.min()),
        max.orElse(usual.max()),
        logMax.orElse(usual.logMax()),
        beta1.orElse(usual.meanDecay()),
        beta2.orElse(usual.spreadDecay()),
        deviations.orElse(usual.deviations()));
  }
}
