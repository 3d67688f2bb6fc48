package dev.halfcell.cpu.kernel;

import dev.halfcell.cpu.onednn.Argument;
import dev.halfcell.cpu.onednn.Argument.Role;
import dev.halfcell.cpu.onednn.Descriptor;
import dev.halfcell.cpu.onednn.Primitive;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.TensorSpec;
import java.util.Arrays;
import java.util.List;

/**
 * The gradient of a weight of windows of 3 x 3 out of Winograd's form: Gᵀ·m·G of the sums m of all
 * parts, which are added in order.
 *
 * @param sums [16, channels out, channels in] of each part
 */
record WinogradTaps(KernelBuilder builder, List<Operand> sums, Operand dweight) {
  private static final int TAPS = 9;
  private static final int UNIT = 16;

  /**
   * What makes each line of taps of four lines of positions, the last of which are negative: Gᵀ.
   */
  private static final float[][] TRANSPOSED = {
    {1, 0.5f, 0.5f, 0}, {0, 0.5f, -0.5f, 0}, {0, 0.5f, 0.5f, -1}
  };

  /** Adds the stages that compute it. */
  void build() {
    Shape weight = dweight.spec().shape();
    int filters = weight.dim(0) * weight.dim(1);
    Operand taps =
        builder.workspace(new TensorSpec(DType.FP32, Shape.of(TAPS, filters)), Layout.ROW_MAJOR);
    Split split = Split.of(filters, UNIT, builder.threads());
    Part[] parts = new Part[split.parts()];
    Arrays.setAll(parts, part -> Part.of(builder.scratch(part), sums, taps));
    builder.stage(parts.length, part -> parts[part].run(split.from(part), split.from(part + 1)));
    Operand out = builder.out(dweight, DType.FP32, Layout.ROW_MAJOR);
    Split rows = Split.of(weight.dim(0), 1, builder.threads());
    Primitive[] reorders = new Primitive[rows.parts()];
    Arrays.setAll(reorders, part -> reorder(taps, out, rows.from(part), rows.size(part)));
    builder.reorders(1);
    builder.stage(reorders.length, part -> reorders[part].run());
  }

  /** Brings the taps of some filters together. */
  private Primitive reorder(Operand taps, Operand out, int first, int count) {
    Shape weight = out.spec().shape();
    Shape some = weight.tail().behind(count);
    long plane = (long) weight.dim(0) * weight.dim(1);
    Descriptor outermost = WinogradFilters.outermost(builder, some, plane, weight.dim(1), 1);
    Descriptor dense = builder.onednn().dense(builder.handles(), DType.FP32, Reorders.sizes(some));
    long from = (long) first * weight.dim(1) * Float.BYTES;
    return Reorders.primitive(
        builder,
        new Argument(Role.SRC, outermost, taps.region(), from),
        new Argument(Role.DST, dense, out.region(), out.sampleOffset(first)));
  }

  /** What a thread works in: all positions of some filters, and a line of them times G. */
  private record Part(List<Operand> sums, Operand taps, float[][] m, float[][] line, float[] out) {
    private static final int SIZE = 512;
    private static final int SIDES = WinogradLoops.SIDE;

    static Part of(Scratch scratch, List<Operand> sums, Operand taps) {
      return new Part(
          sums,
          taps,
          scratch.floats(WinogradLoops.POSITIONS, SIZE),
          scratch.floats(SIDES, SIZE),
          scratch.chunk(SIZE).values);
    }

    void run(int from, int to) {
      for (int at = from; at < to; at += SIZE) {
        run(at, Math.min(SIZE, to - at), taps.spec().dim(1));
      }
    }

    private void run(int at, int count, long filters) {
      for (int position = 0; position < m.length; position++) {
        add(position * filters + at, m[position], count);
      }
      long tap = at;
      for (float[] row : TRANSPOSED) {
        for (int s = 0; s < SIDES; s++) {
          mix(row, m[s], m[SIDES + s], m[2 * SIDES + s], m[3 * SIDES + s], line[s], count);
        }
        for (float[] column : TRANSPOSED) {
          mix(column, line[0], line[1], line[2], line[3], out, count);
          Transfers.write(out, taps.address(tap, count), count);
          tap += filters;
        }
      }
    }

    private static void mix(
        float[] by, float[] a, float[] b, float[] c, float[] d, float[] to, int count) {
      float p = by[0];
      float q = by[1];
      float r = by[2];
      float s = by[3];
      for (int i = 0; i < count; i++) {
        to[i] = p * a[i] + q * b[i] + r * c[i] + s * d[i];
      }
    }

    private void add(long at, float[] sum, int count) {
      Transfers.read(sums.getFirst().address(at, count), sum, count);
      for (Operand part : sums.subList(1, sums.size())) {
        Transfers.read(part.address(at, count), out, count);
        for (int i = 0; i < count; i++) {
          sum[i] += out[i];
        }
      }
    }
  }
}
