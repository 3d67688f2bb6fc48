package dev.halfcell.cpu.kernel;

import dev.halfcell.op.elementwise.Abs;
import dev.halfcell.op.elementwise.Clip;
import dev.halfcell.op.elementwise.Curve;
import dev.halfcell.op.elementwise.Exp;
import dev.halfcell.op.elementwise.Gelu;
import dev.halfcell.op.elementwise.HardSwish;
import dev.halfcell.op.elementwise.LeakyRelu;
import dev.halfcell.op.elementwise.Log;
import dev.halfcell.op.elementwise.Pow;
import dev.halfcell.op.elementwise.Rsqrt;
import dev.halfcell.op.elementwise.Sigmoid;
import dev.halfcell.op.elementwise.Silu;
import dev.halfcell.op.elementwise.Sqrt;
import dev.halfcell.op.elementwise.Tanh;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/**
 * A function of all numbers of a half dtype, by their bits. There are but 65,536 of them, those
 * that occur lie near each other, and looking one up takes a tenth of computing it.
 */
final class CurveTable {
  private static final int ALL = 1 << 16;

  private final float[] values = new float[ALL];

  /** What a table is made for. */
  private record Made(Curve curve, DType dtype, boolean slope) {}

  private CurveTable(Made of) {
    Flat.Loop loop = of.slope ? CurveSlopes.of(of.curve) : CurveLoops.of(of.curve);
    float[] ones = new float[Chunk.SIZE];
    Arrays.fill(ones, 1);
    float[] x = new float[Chunk.SIZE];
    float[] y = new float[Chunk.SIZE];
    float[][] in = of.slope ? new float[][] {ones, x} : new float[][] {x};
    short[] bits = new short[Chunk.SIZE];
    MemorySegment inMemory = MemorySegment.ofArray(bits);
    for (int start = 0; start < ALL; start += Chunk.SIZE) {
      for (int i = 0; i < bits.length; i++) {
        bits[i] = (short) (start + i);
        x[i] = (float) Elements.get(inMemory, of.dtype, i);
      }
      loop.run(in, new float[][] {y}, bits.length, start);
      System.arraycopy(y, 0, values, start, bits.length);
    }
  }

  /** Whether a table is worth it: of what takes long to compute, and more often than it has. */
  static boolean suits(Curve curve, Operand x) {
    boolean slow =
        switch (curve) {
          case Exp _, Gelu _, Log _, Pow _, Sigmoid _, Silu _, Tanh _ -> true;
          case Abs _, Clip _, HardSwish _, LeakyRelu _, Rsqrt _, Sqrt _ -> false;
        };
    return slow && x.dtype().half() && Flat.size(x) > ALL;
  }

  /** y = curve(x). */
  static void stage(KernelBuilder builder, Curve curve, Operand x, Operand y) {
    Flat.ReaderOf found = reader(builder, new Made(curve, x.dtype(), false), x, y.layout());
    Flat.stageOfLoops(builder, List.of(found), List.of(y), y.layout(), () -> CurveTable::copy);
  }

  /** dx = d · derivative(kept). */
  static void slopeStage(KernelBuilder builder, Curve curve, Operand d, Operand kept, Operand dx) {
    Flat.ReaderOf found = reader(builder, new Made(curve, d.dtype(), true), kept, dx.layout());
    Flat.ReaderOf given = Flat.plain(builder.in(d, d.dtype(), dx.layout()));
    Flat.stageOfLoops(
        builder, List.of(given, found), List.of(dx), dx.layout(), () -> CurveTable::multiply);
  }

  private static Flat.ReaderOf reader(KernelBuilder builder, Made of, Operand x, Layout layout) {
    CurveTable table =
        builder
            .scratch(0)
            .take(CurveTable.class, of, (long) ALL * Float.BYTES, () -> new CurveTable(of));
    Operand ordered = builder.in(x, x.dtype(), layout);
    return scratch ->
        new Reader(ordered, table.values, scratch.halves(Chunk.SIZE), scratch.chunk().values);
  }

  private static void copy(float[][] in, float[][] out, int count, int start) {
    System.arraycopy(in[0], 0, out[0], 0, count);
  }

  private static void multiply(float[][] in, float[][] out, int count, int start) {
    float[] d = in[0];
    float[] slope = in[1];
    float[] dx = out[0];
    for (int i = 0; i < count; i++) {
      dx[i] = d[i] * slope[i];
    }
  }

  /** Looks up the function of each place. */
  private record Reader(Operand x, float[] table, short[] bits, float[] values)
      implements Flat.Reader {
    @Override
    public void read(int start, int count) {
      Transfers.read(x.address(start, count), bits, count);
      for (int i = 0; i < count; i++) {
        values[i] = table[bits[i] & ALL - 1];
      }
    }
  }
}
