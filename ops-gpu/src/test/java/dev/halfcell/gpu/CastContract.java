package dev.halfcell.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Op;
import dev.halfcell.op.precision.Cast;
import dev.halfcell.op.precision.CastOverflow;
import dev.halfcell.op.precision.StochasticCast;
import dev.halfcell.op.random.RandomKey;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Casts between all dtypes give the reference's numbers, at the borders of each dtype too. */
abstract class CastContract {
  /** Borders of all dtypes, and what lies beside them. */
  private static final double[] BORDERS = {
    0,
    1,
    0.5,
    1.5,
    2.5,
    127,
    255,
    256,
    257,
    65504,
    65519.99,
    65520,
    0x1p-24,
    0x1p-25,
    0x1.8p-25,
    0x1.000001p-25,
    0x1p-133,
    0x1p-134,
    0x1.FEp127,
    0x1.FFp127,
    0x1p31,
    0x1.fffffffcp30,
    0x1p32,
    0x1p53,
    0x1.0000000000001p53,
    0x1p63,
    0x1p64,
    1e300,
    Float.MAX_VALUE,
    0x1.ffffffp127,
    Float.MIN_VALUE,
    Double.MIN_VALUE,
    2049,
    0x1.001p11,
    0x1.00200000001p0,
    0x1.01000000000001p0,
    0x1.006p0 - 0x1p-40,
    0x1.002p0 + 0x1p-40,
    0x1.03p0 - 0x1p-40,
    0x1.01p0 + 0x1p-40,
    Double.POSITIVE_INFINITY,
    Double.NaN
  };

  private static final int DRAWN = 200;

  private BesideReference beside;

  /** Opens the GPU that is held to the contract. */
  abstract GpuBackend openBackend();

  @BeforeEach
  final void open() {
    beside = new BesideReference(openBackend());
  }

  @AfterEach
  final void close() {
    beside.close();
  }

  @Test
  final void everyDtypeToEveryOther() {
    for (DType from : DType.values()) {
      for (DType to : DType.values()) {
        for (CastOverflow overflow : CastOverflow.values()) {
          if (to.floating() || overflow == CastOverflow.INF) {
            compare(new Cast(to, overflow), numbers(from));
          }
        }
      }
    }
  }

  @Test
  final void stochasticOnesToo() {
    RandomKey key = new RandomKey(3, new CellPath("/cell"), 1);
    Tensor step = Tensor.scalar(beside.scope(), DType.INT64, -7);
    for (DType from : List.of(DType.FP32, DType.FP16, DType.BF16)) {
      for (DType to : List.of(DType.FP64, DType.FP32, DType.FP16, DType.BF16)) {
        for (CastOverflow overflow : CastOverflow.values()) {
          compare(new StochasticCast(to, overflow, key), numbers(from), step);
        }
      }
    }
  }

  private void compare(Op op, Tensor... in) {
    Tensor right = beside.right(op, in).getFirst();
    Tensor got = beside.got(op, in).getFirst();
    for (long i = 0; i < right.spec().size(); i++) {
      String what = op + " of " + in[0].at(i) + " in " + in[0].dtype();
      assertEquals(right.at(i) + 0.0, got.at(i) + 0.0, what); // zeros of both signs are alike
    }
  }

  /** Borders, and what the dtype rounds any number to. */
  private Tensor numbers(DType dtype) {
    Random random = new Random(5);
    DoubleStream drawn =
        IntStream.range(0, DRAWN)
            .mapToDouble(_ -> random.nextGaussian() * Math.exp(12 * random.nextGaussian()));
    double[] all =
        DoubleStream.concat(DoubleStream.of(BORDERS), drawn)
            .flatMap(v -> DoubleStream.of(v, -v))
            .toArray();
    return Tensor.of(beside.scope(), TensorSpec.of(dtype, all.length), all);
  }
}
