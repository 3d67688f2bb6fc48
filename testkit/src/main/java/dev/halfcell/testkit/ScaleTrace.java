package dev.halfcell.testkit;

import dev.halfcell.op.precision.DynamicScale;
import dev.halfcell.op.precision.LogMaxScale;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.tensor.DType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a loss scale does over some updates, as recomputed by hand from the rule of a known system.
 *
 * @param name the system
 * @param rule its rule
 * @param updates the largest gradient magnitude of each step of each update, infinity for an
 *     overflow; a system that tries again at once takes several steps in one update
 * @param scales the scale after each update
 */
record ScaleTrace(String name, LossScale rule, List<List<Double>> updates, List<Double> scales) {
  private static final String GOLDEN = "....X.....XX.......";
  private static final List<Double> OVERFLOW = List.of(Double.POSITIVE_INFINITY);
  private static final List<Double> CLEAN = List.of(1.0);

  /** All of them. */
  static Stream<ScaleTrace> all() {
    return Stream.of(golden(), ownBookkeeping(), hysteresis(), logMax()).flatMap(traces -> traces);
  }

  /** The rows that are alike: from 1024, window 3. */
  private static Stream<ScaleTrace> golden() {
    String scales =
        "1024 1024 2048 2048 1024 1024 1024 2048 2048 2048 1024 512 512 512 1024 1024 1024 2048"
            + " 2048";
    return Stream.of(
        small("default", LossScale.dynamic(), GOLDEN, scales),
        small("MindSpore", LossScale.mindspore(), GOLDEN, scales),
        small("PyTorch", LossScale.pytorch(), GOLDEN, scales),
        small("Apex", LossScale.apex(), GOLDEN, scales),
        small("Keras 3", LossScale.keras(), GOLDEN, scales),
        small("tf.keras", LossScale.tfKeras(), GOLDEN, scales),
        small("DeepSpeed h=1", LossScale.deepSpeed(1), GOLDEN, scales));
  }

  private static Stream<ScaleTrace> ownBookkeeping() {
    String retried =
        "1024 1024 1024 1024 512 512 512 512 1024 1024 512 256 256 256 256 512 512 512 512";
    String lateByOne =
        "1024 1024 1024 2048 1024 1024 1024 1024 2048 2048 1024 512 512 512 512 1024 1024 1024"
            + " 2048";
    String atItsCeiling =
        "1024 1024 1024 1024 512 512 512 1024 1024 1024 512 256 256 256 512 512 512 1024 1024";
    LossScale nnabla = LossScale.nnabla().window(3);
    return Stream.of(
        new ScaleTrace(
            "NNabla, from 8",
            nnabla,
            steps(".".repeat(13)),
            of("8 8 8 8 16 16 16 16 32 32 32 32 64")),
        small("NNabla, X tries again", LossScale.nnabla(), GOLDEN.replace("X", "R"), retried),
        small("DeepSpeed fused", LossScale.deepSpeedFused(), GOLDEN, lateByOne),
        new ScaleTrace(
            "OpenSeq2Seq Backoff to 1024",
            LossScale.openSeq2SeqBackoff().from(1024).window(3).bounds(1, 1024),
            steps(GOLDEN),
            of(atItsCeiling)));
  }

  private static Stream<ScaleTrace> hysteresis() {
    DynamicScale twice = LossScale.deepSpeed(2);
    DynamicScale inARow = twice.habits(twice.habits().consecutively());
    String scales =
        "1024 1024 2048 2048 2048 2048 2048 4096 4096 4096 4096 2048 2048 2048 4096 4096 4096 8192"
            + " 8192";
    return Stream.of(
        small("DeepSpeed h=2", twice, GOLDEN, scales),
        small("DeepSpeed h=2, consecutive", inARow, GOLDEN, scales),
        small("spread overflows", twice, ".X.X.XXX.", "1024 1024 1024 512 512 256 128 64 64"),
        small(
            "spread overflows, consecutive",
            inARow,
            ".X.X.XXX.",
            "1024 1024 1024 1024 1024 1024 512 256 256"));
  }

  /** To the bit of FP32; the first is OpenSeq2Seq's own, the others are mended. */
  private static Stream<ScaleTrace> logMax() {
    List<List<Double>> mended =
        magnitudes(0x1p-6, 0x1p-5, Double.POSITIVE_INFINITY, 0, 0x1p-6, 0x1p-4);
    LogMaxScale deep = LossScale.logMax().bounds(0x1p-24, 0x1p14);
    return Stream.of(
        new ScaleTrace(
            "LogMax",
            LossScale.logMax(),
            magnitudes(1, 2, 4, 8, 0x1p-6),
            of("16384 15853.212860 5674.690859 2094.970022 75.638331")),
        new ScaleTrace(
            "LogMax, overflow and zero",
            deep,
            mended,
            of(
                "16384 16384 7.162634119595e-06 1.432526823919e-05 1.403496571584e-04"
                    + " 1.511761569418e-03")),
        new ScaleTrace(
            "LogMax in BF16",
            LossScale.logMax(DType.BF16).bounds(0x1p-24, 0x1p14),
            mended,
            of("16384 16384 5.9604645e-08 1.1920929e-07 5.9604645e-08 5.9604645e-08")));
  }

  /** From 1024 with a window of 3. */
  private static ScaleTrace small(String name, DynamicScale rule, String pattern, String scales) {
    return new ScaleTrace(name, rule.from(1024).window(3), steps(pattern), of(scales));
  }

  /** Clean steps, overflows X, and overflows that are tried again at once R. */
  private static List<List<Double>> steps(String pattern) {
    return pattern.chars().mapToObj(ScaleTrace::update).toList();
  }

  private static List<Double> update(int step) {
    List<Double> steps = new ArrayList<>(step == '.' ? List.of() : OVERFLOW);
    if (step != 'X') {
      steps.addAll(CLEAN);
    }
    return steps;
  }

  private static List<List<Double>> magnitudes(double... each) {
    return Arrays.stream(each).mapToObj(List::of).toList();
  }

  /** Rounded to FP32, where a scale lives. */
  private static List<Double> of(String scales) {
    return Arrays.stream(scales.split(" ")).map(text -> (double) Float.parseFloat(text)).toList();
  }

  @Override
  public String toString() {
    return name;
  }
}
