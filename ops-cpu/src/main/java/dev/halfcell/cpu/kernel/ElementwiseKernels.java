package dev.halfcell.cpu.kernel;

import dev.halfcell.op.elementwise.Add;
import dev.halfcell.op.elementwise.Elementwise;
import dev.halfcell.op.elementwise.Relu;
import dev.halfcell.op.elementwise.ReluGradient;
import dev.halfcell.op.elementwise.ZerosLike;
import java.util.Arrays;
import java.util.List;

/** Loops over single places, and broadcast addition. */
final class ElementwiseKernels {
  private ElementwiseKernels() {}

  static void build(KernelBuilder builder, Elementwise op, List<Operand> in, Operand out) {
    switch (op) {
      case Add() -> add(builder, in, out);
      case Relu() -> Flat.stage(builder, in, List.of(out), ElementwiseKernels::relu);
      case ReluGradient() -> Flat.stage(builder, in, List.of(out), ElementwiseKernels::gradient);
      case ZerosLike() ->
          Flat.stage(
              builder,
              List.of(),
              List.of(out),
              (_, y, count, _) -> Arrays.fill(y[0], 0, count, 0f));
    }
  }

  static void relu(float[][] in, float[][] out, int count, int start) {
    float[] x = in[0];
    float[] y = out[0];
    for (int i = 0; i < count; i++) {
      y[i] = Math.max(x[i], 0f); // keeps a NaN
    }
  }

  private static void gradient(float[][] in, float[][] out, int count, int start) {
    mask(in[0], in[1], out[0], count);
  }

  /**
   * dx = d where y &gt; 0, else 0. Without a branch: y &gt; 0 holds exactly where its bits, as an
   * int, are from 1 to those of infinity.
   */
  static void mask(float[] d, float[] y, float[] dx, int count) {
    for (int i = 0; i < count; i++) {
      int bits = Float.floatToRawIntBits(y[i]);
      int positive = (-bits & bits - 0x7f800001) >> 31;
      dx[i] = Float.intBitsToFloat(Float.floatToRawIntBits(d[i]) & positive);
    }
  }

  private static void add(KernelBuilder builder, List<Operand> in, Operand out) {
    boolean alike = in.stream().allMatch(x -> x.spec().shape().equals(out.spec().shape()));
    if (alike) {
      Flat.stage(builder, in, List.of(out), ElementwiseKernels::sum);
    } else {
      Broadcasts.add(builder, in, out);
    }
  }

  private static void sum(float[][] in, float[][] out, int count, int start) {
    float[] a = in[0];
    float[] b = in[1];
    float[] y = out[0];
    for (int i = 0; i < count; i++) {
      y[i] = a[i] + b[i];
    }
  }
}
