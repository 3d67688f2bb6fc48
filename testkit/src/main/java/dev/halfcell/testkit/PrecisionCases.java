package dev.halfcell.testkit;

import static dev.halfcell.testkit.Argument.data;
import static dev.halfcell.testkit.Argument.fixed;

import dev.halfcell.op.convolution.Conv2d;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.op.linear.MatMul;
import dev.halfcell.op.precision.Cast;
import dev.halfcell.op.precision.CastOverflow;
import dev.halfcell.op.precision.CellOutput;
import dev.halfcell.op.precision.GradientCheck;
import dev.halfcell.op.precision.LargestMagnitude;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.op.precision.ScaleUpdate;
import dev.halfcell.op.precision.StochasticCast;
import dev.halfcell.op.precision.Unscale;
import dev.halfcell.op.precision.WithPartials;
import dev.halfcell.op.random.RandomKey;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import java.util.stream.Stream;

final class PrecisionCases {
  private PrecisionCases() {}

  static Stream<OpCase> draw(Generator g) {
    Shape shape = g.shape(g.integer(1, 4));
    Argument x = data(shape, Fill.normals());
    Argument wideRange = data(shape, Fill.normals().map(v -> v * Math.exp(4 * v)));
    Argument beyondHalf = data(shape, Fill.normals().map(v -> v * 60_000));
    RandomKey key = new RandomKey(g.integer(0, 99), OpCase.PATH, g.integer(0, 3));
    Argument samples = fixed(DType.INT64, Shape.of(shape.dim(0)), Fill.labels(1000));
    Argument step = fixed(DType.INT64, Shape.SCALAR, Fill.labels(1000));
    Argument scalar = data(Shape.SCALAR, Fill.normals());
    Argument scale = data(Shape.SCALAR, Fill.constant(Math.scalb(1.0, g.integer(-3, 20))));
    Stream<OpCase> cases =
        Stream.of(
            OpCase.of(new Cast(DType.FP16), wideRange).exactly(),
            OpCase.of(new Cast(DType.BF16), wideRange).exactly(),
            OpCase.of(new Cast(DType.FP16, CastOverflow.SATURATE), beyondHalf).exactly(),
            OpCase.of(new Cast(DType.BF16, CastOverflow.SATURATE), beyondHalf).exactly(),
            OpCase.of(new Cast(DType.FP16, CastOverflow.NAN), beyondHalf).exactly(),
            OpCase.of(new Cast(DType.FP32, CastOverflow.NAN), beyondHalf).exactly(),
            OpCase.of(new Cast(DType.FP64, CastOverflow.SATURATE), x).exactly().differentiable(1),
            OpCase.of(new StochasticCast(DType.FP16, CastOverflow.INF, key), wideRange, samples)
                .exactly(),
            OpCase.of(new StochasticCast(DType.BF16, CastOverflow.NAN, key), x, step).exactly(),
            OpCase.of(new StochasticCast(DType.FP16, CastOverflow.SATURATE, key), beyondHalf, step)
                .exactly(),
            OpCase.of(new StochasticCast(DType.FP64, CastOverflow.INF, key), x, step)
                .exactly()
                .differentiable(1),
            OpCase.of(new Cast(DType.FP32), x).exactly(),
            OpCase.of(new Cast(DType.FP64), x).exactly().differentiable(1),
            OpCase.of(new Cast(DType.FP32), fixed(DType.INT64, shape, Fill.labels(1000))).exactly(),
            OpCase.of(new Cast(DType.FP16), fixed(DType.BOOL, shape, Fill.labels(2))).exactly(),
            OpCase.of(new Cast(DType.INT32), wideRange).exactly(),
            OpCase.of(new Cast(DType.BOOL), fixed(DType.INT32, shape, Fill.labels(3))).exactly(),
            OpCase.of(new CellOutput(), x).exactly().differentiable(1),
            matrices(g, DType.FP16),
            matrices(g, DType.BF16),
            matrices(g, DType.FP64),
            images(g, DType.FP16),
            images(g, DType.FP64),
            OpCase.of(new Unscale(), x, scale),
            OpCase.of(new Unscale(), x, data(Shape.SCALAR, Fill.positives())),
            OpCase.of(new GradientCheck(), scalar, x, data(g.shape(2), Fill.normals())),
            OpCase.of(new LargestMagnitude(), wideRange, data(g.shape(2), Fill.normals()))
                .exactly());
    return Stream.concat(cases, scaleUpdates(scale));
  }

  private static Stream<OpCase> scaleUpdates(Argument scale) {
    Argument clean = fixed(DType.INT64, Shape.SCALAR, Fill.labels(2000));
    Argument largest = data(Shape.SCALAR, Fill.positives());
    Argument finite = fixed(DType.BOOL, Shape.SCALAR, Fill.labels(2));
    return Stream.of(
        OpCase.of(new ScaleUpdate(LossScale.dynamic()), scale, clean, finite).exactly(),
        OpCase.of(new ScaleUpdate(LossScale.fixed(512)), scale, clean, finite).exactly(),
        OpCase.of(new ScaleUpdate(LossScale.deepSpeed(3)), scale, clean, finite, words(1))
            .exactly(),
        OpCase.of(new ScaleUpdate(LossScale.logMax()), scale, clean, finite, words(5), largest)
            .exactly());
  }

  /** A product of matrices in the dtype that its sums are kept in. */
  private static OpCase matrices(Generator g, DType dtype) {
    int inner = g.integer(1, 9);
    return OpCase.of(
            new WithPartials(new MatMul(false, true, g.flag()), dtype),
            summed(dtype, g.integer(1, 5), inner),
            summed(dtype, g.integer(1, 5), inner))
        .differentiable(2)
        .summing(9);
  }

  private static OpCase images(Generator g, DType dtype) {
    return OpCase.of(
            new WithPartials(new Conv2d(Conv2dGeometry.square(1, 1)), dtype),
            summed(dtype, g.integer(1, 2), 2, g.integer(3, 5), 4),
            summed(dtype, 3, 2, 3, 3),
            summed(dtype, 3))
        .differentiable(3)
        .summing(40);
  }

  /** Of a half no other numbers: the same rounding holds for all that is tried. */
  private static Argument summed(DType dtype, int... dims) {
    Shape shape = Shape.of(dims);
    return dtype.half() ? fixed(dtype, shape, Fill.normals()) : data(shape, Fill.normals());
  }

  private static Argument words(int count) {
    return fixed(DType.FP64, Shape.of(count), Fill.positives());
  }
}
