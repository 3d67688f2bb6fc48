package dev.halfcell.testkit;

import static dev.halfcell.testkit.Border.INFINITY;
import static dev.halfcell.testkit.Border.LEAST;
import static dev.halfcell.testkit.Border.NAN;

import dev.halfcell.op.Padding2d;
import dev.halfcell.op.attention.ScaledDotProductAttention;
import dev.halfcell.op.attention.ScaledDotProductAttentionGradient;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.op.convolution.Conv2dTranspose;
import dev.halfcell.op.elementwise.Affine;
import dev.halfcell.op.elementwise.Clip;
import dev.halfcell.op.elementwise.LeakyRelu;
import dev.halfcell.op.elementwise.PRelu;
import dev.halfcell.op.elementwise.Pow;
import dev.halfcell.op.elementwise.SlopedGradient;
import dev.halfcell.op.indexing.CoalesceRows;
import dev.halfcell.op.indexing.Embedding;
import dev.halfcell.op.indexing.Gather;
import dev.halfcell.op.indexing.OneHot;
import dev.halfcell.op.indexing.ScatterAdd;
import dev.halfcell.op.loss.CtcLoss;
import dev.halfcell.op.loss.LossReduction;
import dev.halfcell.op.loss.SmoothL1;
import dev.halfcell.op.loss.Targets;
import dev.halfcell.op.normalization.BatchNorm;
import dev.halfcell.op.normalization.BatchNormGradient;
import dev.halfcell.op.normalization.GroupNorm;
import dev.halfcell.op.normalization.GroupNormGradient;
import dev.halfcell.op.normalization.LayerNorm;
import dev.halfcell.op.normalization.Normalize;
import dev.halfcell.op.normalization.RmsNorm;
import dev.halfcell.op.normalization.RunningAverage;
import dev.halfcell.op.pooling.AdaptiveWindow2d;
import dev.halfcell.op.pooling.Window2d;
import dev.halfcell.op.random.Dropout;
import dev.halfcell.op.random.RandomKey;
import dev.halfcell.op.shape.Concat;
import dev.halfcell.op.shape.Pad;
import dev.halfcell.op.shape.ReverseSequence;
import dev.halfcell.op.shape.Slice;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** The borders of what ops are made with. */
final class OpBorders {
  private static final RandomKey KEY = new RandomKey(1, OpCase.PATH, 0);
  private static final List<Integer> ZERO = List.of(0);
  private static final List<Integer> ONE = List.of(1);

  private OpBorders() {}

  static Stream<Border> all() {
    return Stream.of(elementwise(), indexing(), loss(), normalization(), windows(), shape())
        .flatMap(borders -> borders);
  }

  private static Stream<Border> elementwise() {
    return Stream.of(
        Border.of(Affine.class, "multiplier", v -> new Affine(v, 0))
            .takes(0)
            .refuses(NAN, INFINITY),
        Border.of(Affine.class, "addend", v -> new Affine(1, v)).takes(0).refuses(NAN, INFINITY),
        Border.of(Clip.class, "least", v -> new Clip(v, 2)).takes(2, -INFINITY).refuses(2.5, NAN),
        Border.of(Clip.class, "most", v -> new Clip(2, v)).takes(2, INFINITY).refuses(1.5, NAN),
        Border.of(LeakyRelu.class, "slope", LeakyRelu::new).notNegative(),
        Border.of(Pow.class, "exponent", Pow::new).takes(0, -1).refuses(NAN, INFINITY),
        Border.of(SlopedGradient.class, "input", v -> new SlopedGradient(new PRelu(), (int) v))
            .takes(0, 1)
            .refuses(-1, 2),
        Border.of(Dropout.class, "rate", v -> new Dropout(v, KEY)).share(),
        Border.of(
                ScaledDotProductAttention.class,
                "scale",
                v -> new ScaledDotProductAttention(true, v))
            .positive(),
        Border.of(
                ScaledDotProductAttentionGradient.class,
                "scale",
                v -> new ScaledDotProductAttentionGradient(true, v, true, true, true))
            .positive());
  }

  private static Stream<Border> indexing() {
    return Stream.of(
        Border.of(CoalesceRows.class, "size", v -> new CoalesceRows((int) v, OptionalInt.empty()))
            .from(1),
        Border.of(Embedding.class, "padding", v -> new Embedding(OptionalInt.of((int) v), false))
            .from(0),
        Border.of(Gather.class, "axis", v -> new Gather((int) v)).from(0),
        Border.of(OneHot.class, "depth", v -> new OneHot((int) v, 1, 0, DType.FP32)).from(1),
        Border.of(OneHot.class, "on", v -> new OneHot(2, v, 0, DType.INT32))
            .takes(-1, 7)
            .refuses(0.5),
        Border.of(OneHot.class, "on", v -> new OneHot(2, v, 0, DType.FP16)).takes(0.3).refuses(),
        Border.of(OneHot.class, "off", v -> new OneHot(2, 1, v, DType.INT32)).takes(7).refuses(0.5),
        Border.of(ScatterAdd.class, "axis", v -> new ScatterAdd(Shape.of(2, 3), (int) v, false))
            .takes(0, 1)
            .refuses(-1, 2));
  }

  private static Stream<Border> loss() {
    return Stream.of(
        Border.of(CtcLoss.class, "blank", v -> new CtcLoss((int) v, LossReduction.SUM, false))
            .from(0),
        Border.of(SmoothL1.class, "beta", v -> new SmoothL1(v, LossReduction.SUM)).positive(),
        Border.of(Targets.class, "smoothing", v -> new Targets(v, OptionalLong.empty())).share());
  }

  private static Stream<Border> normalization() {
    return Stream.of(
        epsilon(Border.of(BatchNorm.class, "epsilon", BatchNorm::new)),
        epsilon(Border.of(BatchNormGradient.class, "epsilon", BatchNormGradient::new)),
        epsilon(Border.of(GroupNorm.class, "epsilon", v -> new GroupNorm(1, v))),
        epsilon(Border.of(LayerNorm.class, "epsilon", LayerNorm::new)),
        epsilon(Border.of(Normalize.class, "epsilon", Normalize::new)),
        epsilon(Border.of(RmsNorm.class, "epsilon", RmsNorm::new)),
        Border.of(RunningAverage.class, "momentum", v -> new RunningAverage(v, 1))
            .takes(0, 1)
            .refuses(-LEAST, Math.nextUp(1.0), NAN),
        Border.of(RunningAverage.class, "factor", v -> new RunningAverage(0.9, v)).positive(),
        Border.of(GroupNorm.class, "groups", v -> new GroupNorm((int) v, 1)).from(1),
        Border.of(GroupNormGradient.class, "groups", v -> new GroupNormGradient((int) v)).from(1));
  }

  private static Border epsilon(Border of) {
    return of.takes(LEAST).refuses(0, -LEAST, NAN);
  }

  private static Stream<Border> windows() {
    return Stream.of(
            Stream.of(
                    Border.of(Padding2d.class, "top", v -> new Padding2d((int) v, 1, 1, 1)),
                    Border.of(Padding2d.class, "bottom", v -> new Padding2d(1, (int) v, 1, 1)),
                    Border.of(Padding2d.class, "left", v -> new Padding2d(1, 1, (int) v, 1)),
                    Border.of(Padding2d.class, "right", v -> new Padding2d(1, 1, 1, (int) v)))
                .map(border -> border.from(0)),
            Stream.of(
                    Border.of(Conv2dGeometry.class, "strideHeight", v -> geometry(v, 2, 2, 2, 2)),
                    Border.of(Conv2dGeometry.class, "strideWidth", v -> geometry(2, v, 2, 2, 2)),
                    Border.of(Conv2dGeometry.class, "dilationHeight", v -> geometry(2, 2, v, 2, 2)),
                    Border.of(Conv2dGeometry.class, "dilationWidth", v -> geometry(2, 2, 2, v, 2)),
                    Border.of(Conv2dGeometry.class, "groups", v -> geometry(2, 2, 2, 2, v)),
                    Border.of(Window2d.class, "height", v -> window(v, 2, 2, 2)),
                    Border.of(Window2d.class, "width", v -> window(2, v, 2, 2)),
                    Border.of(Window2d.class, "strideHeight", v -> window(2, 2, v, 2)),
                    Border.of(Window2d.class, "strideWidth", v -> window(2, 2, 2, v)),
                    Border.of(
                        AdaptiveWindow2d.class, "height", v -> new AdaptiveWindow2d((int) v, 2)),
                    Border.of(
                        AdaptiveWindow2d.class, "width", v -> new AdaptiveWindow2d(2, (int) v)))
                .map(border -> border.from(1)),
            Stream.of(
                Border.of(
                        Conv2dTranspose.class,
                        "outputPaddingHeight",
                        v -> new Conv2dTranspose(geometry(2, 3, 1, 1, 1), (int) v, 0))
                    .takes(0, 1)
                    .refuses(-1, 2),
                Border.of(
                        Conv2dTranspose.class,
                        "outputPaddingWidth",
                        v -> new Conv2dTranspose(geometry(2, 3, 1, 1, 1), 0, (int) v))
                    .takes(0, 2)
                    .refuses(-1, 3)))
        .flatMap(borders -> borders);
  }

  private static Conv2dGeometry geometry(
      double strideHeight,
      double strideWidth,
      double dilationHeight,
      double dilationWidth,
      double groups) {
    return new Conv2dGeometry(
        (int) strideHeight,
        (int) strideWidth,
        Padding2d.NONE,
        (int) dilationHeight,
        (int) dilationWidth,
        (int) groups);
  }

  private static Window2d window(
      double height, double width, double strideHeight, double strideWidth) {
    return new Window2d(
        (int) height, (int) width, (int) strideHeight, (int) strideWidth, Padding2d.NONE);
  }

  private static Stream<Border> shape() {
    return Stream.of(
        Border.of(Concat.class, "axis", v -> new Concat((int) v)).from(0),
        Border.of(Pad.class, "before", v -> new Pad(List.of((int) v), ZERO, ZERO, 0)).from(0),
        Border.of(Pad.class, "between", v -> new Pad(ZERO, List.of((int) v), ZERO, 0)).from(0),
        Border.of(Pad.class, "after", v -> new Pad(ZERO, ZERO, List.of((int) v), 0)).from(0),
        Border.of(ReverseSequence.class, "batchAxis", v -> new ReverseSequence((int) v, 1))
            .takes(0, 2)
            .refuses(-1, 1),
        Border.of(ReverseSequence.class, "timeAxis", v -> new ReverseSequence(1, (int) v))
            .takes(0, 2)
            .refuses(-1, 1),
        Border.of(Slice.class, "start", v -> new Slice(List.of((int) v), ONE, ONE)).from(0),
        Border.of(Slice.class, "size", v -> new Slice(ZERO, List.of((int) v), ONE)).from(1),
        Border.of(Slice.class, "stride", v -> new Slice(ZERO, ONE, List.of((int) v))).from(1));
  }
}
