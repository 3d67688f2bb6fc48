package dev.halfcell.op.precision;

import static dev.halfcell.op.precision.DynamicScale.NO_CEILING;
import static dev.halfcell.op.precision.DynamicScale.NO_FLOOR;
import static dev.halfcell.op.precision.ScaleHabits.usual;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import java.util.List;
import java.util.OptionalInt;

/**
 * The rule of a loss scale, which never changes. Where it stands is a {@link State}, kept with a
 * run's other state. {@link #next} is pure; a device's kernel for {@link ScaleUpdate} is tested
 * against it.
 *
 * <p>Whatever a step brings, a scale stays finite and above 0 in FP32: a rule without a ceiling
 * does not take the growth, and one without a floor not the fall, that FP32 does not hold. The
 * systems that presets are named after stand still for ever there, at infinity or 0.
 */
public sealed interface LossScale permits NoScale, FixedScale, DynamicScale, LogMaxScale {
  /**
   * Where a scale stands.
   *
   * @param scale what the loss is multiplied by before the backward pass; rounded to FP32, as
   *     devices hold it
   * @param clean clean steps that a dynamic rule has counted toward its next growth
   * @param words the few numbers more that some rules remember, always as many
   */
  record State(double scale, long clean, List<Double> words) {
    public State {
      scale = DType.FP32.round(scale);
      words = List.copyOf(words);
    }

    /** The state of a rule that remembers no more. */
    public State(double scale, long clean) {
      this(scale, clean, List.of());
    }
  }

  /**
   * What a step's gradients were like.
   *
   * @param finite whether the loss and all of them were finite
   * @param log2Largest the binary logarithm of the largest magnitude among them, unscaled: negative
   *     infinity where all are 0; only rules that {@link #readsLargest} look at it
   */
  record Verdict(boolean finite, double log2Largest) {
    private static final double LN2 = StrictMath.log(2);

    /** The verdict for rules that ask for no magnitude. */
    public static Verdict of(boolean finite) {
      return new Verdict(finite, Double.NEGATIVE_INFINITY);
    }

    /** The verdict on gradients whose largest magnitude is {@code largest}. */
    public static Verdict of(boolean finite, double largest) {
      return new Verdict(finite, log2(largest));
    }

    /** Exact for powers of two, and the same on every machine. */
    private static double log2(double x) {
      if (x == 0 || !Double.isFinite(x)) {
        return x == 0 ? Double.NEGATIVE_INFINITY : x;
      }
      int exponent = Math.getExponent(x);
      return exponent + StrictMath.log(Math.scalb(x, -exponent)) / LN2;
    }
  }

  /** Where a run begins. */
  State start();

  /** The state after a step. */
  State next(State now, Verdict verdict);

  /** Whether {@link #next} looks at the largest magnitude. */
  default boolean readsLargest() {
    return false;
  }

  /** Whether a step that is not finite is refused, rather than applied as it is. */
  default boolean dropsOverflows() {
    return true;
  }

  /** How many steps in a row may overflow before the system that is copied gives up. */
  default OptionalInt mostOverflowsInARow() {
    return OptionalInt.empty();
  }

  /** Whether the system that is copied gives up where a step overflows in this state. */
  default boolean givesUpOnOverflow(State now) {
    return false;
  }

  /** Whether the scale ever moves. */
  default boolean moves() {
    return true;
  }

  /** The loss as it is. */
  static LossScale none() {
    return new NoScale();
  }

  /** A constant scale; steps that overflow are refused. */
  static FixedScale fixed(double scale) {
    return new FixedScale(scale, true);
  }

  /**
   * A scale that starts at 2¹⁶, halves on overflow and doubles after 2000 clean steps, from 1 to
   * 2²⁴.
   */
  static DynamicScale dynamic() {
    return new DynamicScale(0x1p16, 2, 0.5, 2000, 1, 0x1p24, ScaleHabits.usual());
  }

  /** The same with other numbers; {@code hysteresis} is the overflow at which the scale falls. */
  static DynamicScale dynamic(
      double init, double up, double down, int window, double min, double max, int hysteresis) {
    ScaleHabits habits = ScaleHabits.usual().hysteresis(hysteresis);
    return new DynamicScale(init, up, down, window, min, max, habits);
  }

  /** OpenSeq2Seq's LogMax for gradients in FP16, mended. */
  static LogMaxScale logMax() {
    return logMax(DType.FP16);
  }

  /** OpenSeq2Seq's LogMax for gradients in this 16-bit dtype, mended. */
  static LogMaxScale logMax(DType half) {
    return LogMaxScale.of(half);
  }

  /** MindSpore, amp.DynamicLossScaleManager: from 2²⁴; gives up at the 1001st overflow in a row. */
  static DynamicScale mindspore() {
    return open(0x1p24).bounds(1, NO_CEILING).habits(usual().mostOverflowsInARow(1000));
  }

  /** PyTorch, amp.GradScaler: from 2¹⁶, without a floor. */
  static DynamicScale pytorch() {
    return open(0x1p16);
  }

  /** Apex, amp.LossScaler: from 2¹⁶ without a floor, clipped at 2²⁴. */
  static DynamicScale apex() {
    return open(0x1p16).bounds(NO_FLOOR, 0x1p24).habits(usual().clipping());
  }

  /** Keras 3, optimizers.LossScaleOptimizer: from 2¹⁵, without a floor. */
  static DynamicScale keras() {
    return open(0x1p15);
  }

  /** TensorFlow 2, keras.mixed_precision.LossScaleOptimizer: from 2¹⁵, not under 1. */
  static DynamicScale tfKeras() {
    return open(0x1p15).bounds(1, NO_CEILING);
  }

  /** OpenSeq2Seq, automatic_loss_scaler.BackoffScaler: from its ceiling of 2¹⁴, not under 1. */
  static DynamicScale openSeq2SeqBackoff() {
    return open(0x1p14).bounds(1, 0x1p14).habits(usual().clipping());
  }

  /**
   * NNabla, DynamicLossScalingUpdater: from 8, without bounds; grows at clean step 2002 and every
   * 2001 after it. There an overflow takes the next batch at once: here it is a step of its own.
   */
  static DynamicScale nnabla() {
    return open(8).habits(usual().late(2));
  }

  /**
   * DeepSpeed, fp16.loss_scaler.DynamicLossScaler with the defaults of its configuration file: from
   * 2¹⁶, window 1000; gives up where the scale would fall below 1.
   *
   * @param hysteresis the overflow at which the scale falls; the file's default is 2
   */
  static DynamicScale deepSpeed(int hysteresis) {
    return open(0x1p16)
        .window(1000)
        .bounds(1, NO_CEILING)
        .habits(usual().hysteresis(hysteresis).givingUpAtFloor());
  }

  /** DeepSpeed, fp16.FP16_Optimizer: the same, one step later, silent at its floor. */
  static DynamicScale deepSpeedFused() {
    return open(0x1p16).window(1000).bounds(1, NO_CEILING).habits(usual().late(1));
  }

  /** Twice and half, 2000 clean steps, no bounds. */
  private static DynamicScale open(double init) {
    return new DynamicScale(init, 2, 0.5, 2000, NO_FLOOR, NO_CEILING, usual());
  }

  /**
   * The rule that an option names: {@code none}, a number, or one of {@link #names}.
   *
   * @param half the 16-bit dtype of the gradients
   */
  static LossScale named(String text, DType half) {
    return ScaleNames.rule(text, half);
  }

  /** What {@link #named} knows beside numbers, in the order of documentation. */
  static List<String> names() {
    return ScaleNames.all();
  }

  /** What {@link #named} makes this rule of; all of its numbers where there is no such name. */
  default String name() {
    return ScaleNames.of(this);
  }

  /** Throws unless FP32 holds {@code value} as a finite number above 0. */
  static double requirePositive(String option, double value) {
    ArgumentException.require(
        (float) value > 0 && Float.isFinite((float) value),
        option,
        "a finite number above 0 in fp32",
        value);
    return value;
  }
}
